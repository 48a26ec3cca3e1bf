import type { CustomerInput } from "../../features/customers/index.js";
import type { OrderInputBody } from "../../features/orders/index.js";
import type { Call } from "../../features/projects/index.js";
import { problems } from "../../platform/http/problems.js";
import { request_refusals } from "../answers/refusals.js";
import type { DecidingBody, RedeemableInput, SessionInput } from "./request.schemas.js";
import type { Tracking } from "./tracking.js";

/** One request for a decision, whatever operation brought it. */
export interface DecidingRequest {
  call: Call;
  redeemables: readonly RedeemableInput[];
  /** The request's own, else its order's; null when nobody is named. */
  customer: CustomerInput | null;
  order: OrderInputBody | null;
  session: SessionInput | null;
  /** Makes the token that names the customer in the answer. */
  tracking: Tracking;
  metadata: Record<string, unknown>;
  expand: ReadonlySet<string>;
}

/** Reads what was sent; refuses what no decision could be asked about (redemption.md §4, Phase A). */
export function decidingRequest(call: Call, body: DecidingBody, tracking: Tracking): DecidingRequest {
  assertDistinct(body.redeemables);
  assertAmount(body.order?.amount);
  const tracked = body.tracking_id ? { source_id: tracking.sourceIdOf(body.tracking_id) } : null;
  return {
    call,
    redeemables: body.redeemables,
    customer: named(body.customer) ?? named(body.order?.customer) ?? tracked,
    order: body.order ?? null,
    session: body.session ?? null,
    tracking,
    metadata: body.metadata ?? {},
    expand: new Set(body.options?.expand ?? ["order"]),
  };
}

/** A stack stands alone; anything stands once. A code and the id of one voucher are found out after they are read. */
function assertDistinct(redeemables: readonly RedeemableInput[]): void {
  const names = new Set(redeemables.map(({ object, id }) => `${object} ${id}`));
  if (names.size < redeemables.length) throw request_refusals.duplicatedRedeemables();
  if (redeemables.length > 1 && redeemables.some(({ object }) => object === "promotion_stack")) {
    throw request_refusals.mixedStack();
  }
}

function assertAmount(amount: number | null | undefined): void {
  if (amount === null || amount === undefined) return;
  if (amount > Number.MAX_SAFE_INTEGER)
    throw problems.invalidPayload("Property .order.amount must be <= 9007199254740991");
  if (amount < 0 || !Number.isInteger(amount)) throw request_refusals.invalidAmount();
}

function named(customer: CustomerInput | null | undefined): CustomerInput | null {
  return customer && Object.keys(customer).length > 0 ? customer : null;
}
