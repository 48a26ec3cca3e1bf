import type { Customer, CustomerInput } from "../features/customers/index.js";
import type { Order, OrderInputBody } from "../features/orders/index.js";
import type { CatalogueOfLines } from "../features/products/index.js";
import { codeKey, type LockedVoucher } from "../features/vouchers/index.js";
import type { Catalogue } from "./catalogue.js";

/**
 * Everything that the requests of a batch look at, as one read found it. What a redemption changes is changed here too,
 * so that the next request of the batch decides on what the one before left.
 */
export class SharedFacts {
  readonly catalogue: Catalogue;
  /** Of the lines that the requests send, and of what unit discounts give away. */
  readonly catalogue_of_lines: CatalogueOfLines;
  /** Values of the counters that rules look at; named by `counters.ts`. */
  readonly counts = new Map<string, number>();
  private readonly vouchers = new Map<string, LockedVoucher>();
  private readonly voucher_ids_by_code = new Map<string, string>();
  private readonly customers = new Map<string, Customer>();
  private readonly orders = new Map<string, Order>();

  constructor(
    catalogue: Catalogue,
    read: {
      vouchers: LockedVoucher[];
      customers: Customer[];
      orders: Order[];
      catalogue_of_lines: CatalogueOfLines;
    },
  ) {
    this.catalogue = catalogue;
    this.catalogue_of_lines = read.catalogue_of_lines;
    for (const voucher of read.vouchers) this.keepVoucher(voucher);
    for (const customer of read.customers) this.keepCustomer(customer);
    for (const order of read.orders) this.keepOrder(order);
  }

  /** By id where one is known by it, else by code (vouchers-and-campaigns.md §3.3). */
  voucher(id_or_code: string): LockedVoucher | undefined {
    const id = this.voucher_ids_by_code.get(codeKey(this.catalogue.project, id_or_code));
    return this.vouchers.get(id_or_code) ?? (id === undefined ? undefined : this.vouchers.get(id));
  }

  keepVoucher(voucher: LockedVoucher): void {
    this.vouchers.set(voucher.id, voucher);
    this.voucher_ids_by_code.set(voucher.code_key, voucher.id);
  }

  customer(input: CustomerInput | null): Customer | undefined {
    if (input?.id) return this.customers.get(`id ${input.id}`);
    return input?.source_id ? this.customers.get(`source_id ${input.source_id}`) : undefined;
  }

  keepCustomer(customer: Customer): void {
    this.customers.set(`id ${customer.id}`, customer);
    if (customer.source_id) this.customers.set(`source_id ${customer.source_id}`, customer);
  }

  order(input: OrderInputBody | null): Order | undefined {
    if (input?.id) return this.orders.get(`id ${input.id}`);
    return input?.source_id ? this.orders.get(`source_id ${input.source_id}`) : undefined;
  }

  keepOrder(order: Order): void {
    this.orders.set(`id ${order.id}`, order);
    if (order.source_id) this.orders.set(`source_id ${order.source_id}`, order);
  }
}
