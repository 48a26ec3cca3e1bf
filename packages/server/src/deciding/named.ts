import type { Catalogue } from "../catalogue/index.js";
import type { CustomerInput } from "../features/customers/index.js";
import type { OrderInputBody } from "../features/orders/index.js";
import { PairMap } from "../platform/lists/pair-map.js";
import type { DecidingRequest } from "./requests/request.js";
import type { RedeemableInput } from "./requests/request.schemas.js";
import type { Ruled } from "./ruled.js";

/** A customer or an order, by the names it has. */
interface NamedRow {
  id: string;
  source_id: string | null;
}

/** What the requests of a batch name, found by whatever name: as rows in full, or just as far as locks need it. */
export class Named<Customer extends NamedRow = NamedRow, Order extends NamedRow = NamedRow> {
  /** What each kind of redeemable has read; the kind alone looks inside. */
  readonly found = new Map<string, Map<string, unknown>>();
  /** What compound redeemables of a request stand for, once it has been looked up. */
  readonly singles = new Map<DecidingRequest, readonly RedeemableInput[]>();
  /** The rules of what is asked for, once they have been looked up. */
  readonly ruled = new PairMap<Ruled | undefined>();
  /** By which of their names, and that name. */
  private readonly customers = new PairMap<Customer>();
  private readonly orders = new PairMap<Order>();

  constructor(readonly catalogue: Catalogue) {}

  customer(input: CustomerInput | null): Customer | undefined {
    if (input?.id) return this.customers.get("id", input.id);
    return input?.source_id ? this.customers.get("source_id", input.source_id) : undefined;
  }

  keepCustomer(customer: Customer): void {
    this.customers.set("id", customer.id, customer);
    if (customer.source_id) this.customers.set("source_id", customer.source_id, customer);
  }

  order(input: OrderInputBody | null): Order | undefined {
    if (input?.id) return this.orders.get("id", input.id);
    return input?.source_id ? this.orders.get("source_id", input.source_id) : undefined;
  }

  keepOrder(order: Order): void {
    this.orders.set("id", order.id, order);
    if (order.source_id) this.orders.set("source_id", order.source_id, order);
  }
}
