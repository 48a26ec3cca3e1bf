import { type CompiledRule, DEFAULT_STACKING_RULES, type StackingRules } from "@guerdon/engine";
import type { CustomerInput } from "../../features/customers/index.js";
import type { OrderInputBody } from "../../features/orders/index.js";
import type { Call } from "../../features/projects/index.js";
import type { LockedVoucher } from "../../features/vouchers/index.js";
import { problems } from "../../platform/http/problems.js";
import { refusals } from "../../terms/index.js";
import type { DecidingBody, RedeemableInput, SessionInput, SituationBody } from "./request.schemas.js";
import type { Tracking } from "./tracking.js";

/** As of every name that reaches an index; a token of one is longer. */
const source_id_length_max = 255;

/** What is decided about and stored nowhere: a code of its own with what somebody is about to save. */
export interface Unsaved {
  voucher: LockedVoucher;
  rules: readonly CompiledRule[];
}

/** One request for a decision, whatever operation brought it. */
export interface DecidingRequest {
  call: Call;
  redeemables: readonly RedeemableInput[];
  /** Null: those of the project. */
  stacking_rules: StackingRules | null;
  /** The request's own, else its order's; null when nobody is named. */
  customer: CustomerInput | null;
  order: OrderInputBody | null;
  session: SessionInput | null;
  /** Makes the token that names the customer in the answer. */
  tracking: Tracking;
  metadata: Record<string, unknown>;
  expand: ReadonlySet<string>;
  /** Set where nobody asked: the service redeems for an assignment of a reward, as many as it may and the card pays for. */
  automatic?: { assignment_id: string; units_max: number };
  /** Set where the one redeemable is stored nowhere. */
  unsaved?: Unsaved;
}

/** Reads what was sent; refuses what no decision could be asked about (redemption.md §4, Phase A). */
export function decidingRequest(call: Call, body: DecidingBody, tracking: Tracking): DecidingRequest {
  assertAmount(body.order?.amount);
  return {
    call,
    redeemables: body.redeemables,
    stacking_rules: null,
    customer: customerOf(body, tracking),
    order: body.order ?? null,
    session: body.session ?? null,
    tracking,
    metadata: body.metadata ?? {},
    expand: new Set(body.options?.expand ?? ["order"]),
  };
}

/** The request of an older call for one redeemable, in which stacking rules play no part (redemption.md §15). */
export const singleRequest = (
  call: Call,
  redeemable: RedeemableInput,
  situation: SituationBody,
  tracking: Tracking,
): DecidingRequest => ({
  ...decidingRequest(call, { ...situation, redeemables: [redeemable] }, tracking),
  stacking_rules: DEFAULT_STACKING_RULES,
});

function assertAmount(amount: number | null | undefined): void {
  if (amount === null || amount === undefined) return;
  if (amount > Number.MAX_SAFE_INTEGER)
    throw problems.invalidPayload("Property .order.amount must be <= 9007199254740991");
  if (amount < 0 || !Number.isInteger(amount)) throw refusals.invalidAmount();
}

/** The request's own customer, else its order's; who is named by nothing else is named by `tracking_id`. */
function customerOf({ customer, order, tracking_id }: DecidingBody, tracking: Tracking): CustomerInput | null {
  const sent = named(customer) ?? named(order?.customer);
  const source_id = sourceIdOf(sent?.source_id || (sent?.id ? null : tracking_id), tracking);
  return sent || source_id ? { ...sent, source_id } : null;
}

/** Behind a token of ours stands the source id that the customer is stored by (platform.md §5). */
function sourceIdOf(name: string | null | undefined, tracking: Tracking): string | undefined {
  if (!name) return undefined;
  const source_id = tracking.sourceIdOf(name);
  if (source_id.length <= source_id_length_max) return source_id;
  throw problems.invalidPayload(`Property .tracking_id must NOT have more than ${source_id_length_max} characters`);
}

function named(customer: CustomerInput | null | undefined): CustomerInput | null {
  return customer && Object.keys(customer).length > 0 ? customer : null;
}
