import { type Deciding, type DecidingBody, SingleBody, type Tracking, trackingOf } from "../../deciding/index.js";
import { metadataPlaces } from "../../platform/http/metadata.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { refusals } from "../../terms/index.js";
import type { CustomerInput } from "../customers/index.js";
import { assertMetadata, type Call } from "../projects/index.js";
import { type QualificationAnswer, type QualificationBody, qualify } from "../qualifications/index.js";
import { type RedemptionBody, type RedemptionsBody, redeem, redeemVoucher } from "../redemptions/index.js";
import {
  type PromotionsValidationBody,
  type ValidationBody,
  type VoucherValidationBody,
  validatePromotions,
  validateRedeemables,
  validateVoucher,
} from "../validations/index.js";
import type { RedeemQuery } from "./client-side.schemas.js";
import { shownToPage } from "./shown-to-page.js";
import { bodyOf, type ValidateQuery } from "./validate-query.js";

export async function validateOnPage(deciding: Deciding, call: Call, body: DecidingBody): Promise<ValidationBody> {
  assertOneIdentity(trackingIn(deciding, call), [body.tracking_id], body);
  return validateRedeemables(deciding, call, body);
}

export async function redeemOnPage(deciding: Deciding, call: Call, body: DecidingBody): Promise<RedemptionsBody> {
  assertOneIdentity(trackingIn(deciding, call), [body.tracking_id], body);
  return redeem(deciding, call, body, (redemption) => shownToPage(redemption, namedIn(body)));
}

export async function qualifyOnPage(
  deciding: Deciding,
  call: Call,
  body: QualificationBody,
): Promise<QualificationAnswer> {
  assertOneIdentity(trackingIn(deciding, call), [body.tracking_id], body);
  return qualify(deciding, call, body);
}

/** `GET /client/v1/validate`: whoever is nobody yet gets a name, under which the shop may meet them again (platform.md §5). */
export async function validateCode(
  deciding: Deciding,
  call: Call,
  code: string,
  query: ValidateQuery,
): Promise<VoucherValidationBody> {
  const tracking = trackingIn(deciding, call);
  const body = askedBy(call, query);
  assertOneIdentity(tracking, [query.tracking_id], body);
  const answer = await validateVoucher(deciding, call, code, body, "answer");
  return { ...answer, tracking_id: answer.tracking_id ?? tracking.tokenOf(newId("anon")) };
}

/** The same without a code: the promotions that apply to the cart. They have nothing that could be locked. */
export async function validateCart(
  deciding: Deciding,
  call: Call,
  query: ValidateQuery,
): Promise<PromotionsValidationBody> {
  const tracking = trackingIn(deciding, call);
  const { session, ...cart } = askedBy(call, query);
  if (session) throw problems.invalidQuery("Property .session_type is not supported without a code");
  assertOneIdentity(tracking, [query.tracking_id], cart);
  const answer = await validatePromotions(deciding, call, cart, {});
  return { ...answer, tracking_id: answer.tracking_id ?? tracking.tokenOf(newId("anon")) };
}

/** `POST /client/v1/redeem`. */
export async function redeemCode(
  deciding: Deciding,
  call: Call,
  { code, tracking_id }: RedeemQuery,
  body: SingleBody,
): Promise<RedemptionBody> {
  assertOneIdentity(trackingIn(deciding, call), [tracking_id, body.tracking_id], body);
  const tracked = { ...body, tracking_id: tracking_id ?? body.tracking_id };
  return redeemVoucher(deciding, call, code, tracked, (redemption) => shownToPage(redemption, namedIn(body)));
}

/** What a query asks; its metadata is held against the project's schemas as that of a body is. */
function askedBy(call: Call, query: ValidateQuery): SingleBody {
  const body = bodyOf(query);
  assertMetadata(call, places, body);
  return body;
}

const places = metadataPlaces(SingleBody);

const trackingIn = ({ context }: Deciding, { project_id }: Call): Tracking => trackingOf(context.seal, project_id);

type Naming = Pick<SingleBody, "customer" | "order">;

const namedIn = ({ customer, order }: Naming): CustomerInput | null | undefined => customer ?? order?.customer;

/** A browser keeps the mark of whoever used it; a request that names somebody else besides is about nobody for sure. */
function assertOneIdentity(tracking: Tracking, tracking_ids: (string | null | undefined)[], body: Naming): void {
  const names = [...tracking_ids, namedIn(body)?.source_id].flatMap((name) => (name ? tracking.sourceIdOf(name) : []));
  const [first = "", ...others] = names;
  const other = others.find((name) => name !== first);
  if (other !== undefined) throw refusals.ambiguousTrackingId(tracking.tokenOf(first), tracking.tokenOf(other));
}
