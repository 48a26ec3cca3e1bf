import type { Catalogue } from "../catalogue/index.js";
import type { CustomerInput } from "../features/customers/index.js";
import type { OrderInputBody } from "../features/orders/index.js";
import { codeKey, type NamedVoucher } from "../features/vouchers/index.js";

/** A customer or an order, by the names it has. */
interface NamedRow {
  id: string;
  source_id: string | null;
}

/** What the requests of a batch name, found by whatever name: as rows in full, or just as far as locks need it. */
export class Named<
  Voucher extends NamedVoucher = NamedVoucher,
  Customer extends NamedRow = NamedRow,
  Order extends NamedRow = NamedRow,
> {
  private readonly vouchers = new Map<string, Voucher>();
  private readonly voucher_ids_by_code = new Map<string, string>();
  private readonly customers = new Map<string, Customer>();
  private readonly orders = new Map<string, Order>();

  constructor(
    readonly catalogue: Catalogue,
    found: { vouchers: readonly Voucher[]; customers: readonly Customer[]; orders: readonly Order[] },
  ) {
    for (const voucher of found.vouchers) this.keepVoucher(voucher);
    for (const customer of found.customers) this.keepCustomer(customer);
    for (const order of found.orders) this.keepOrder(order);
  }

  /** By id where one is known by it, else by code (vouchers-and-campaigns.md §3.3). */
  voucher(id_or_code: string): Voucher | undefined {
    const id = this.voucher_ids_by_code.get(codeKey(this.catalogue.project, id_or_code));
    return this.vouchers.get(id_or_code) ?? (id === undefined ? undefined : this.vouchers.get(id));
  }

  keepVoucher(voucher: Voucher): void {
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
