import type { Context } from "../../platform/context.js";
import { metadataPlaces } from "../../platform/http/metadata.js";
import { problems } from "../../platform/http/problems.js";
import { isIntegration, originOf, refusals } from "../../terms/index.js";
import { knownCampaign } from "../campaigns/index.js";
import type { CustomerInput } from "../customers/index.js";
import { assertMayChange, assertMetadata, type Call } from "../projects/index.js";
import { readVoucherBody } from "../vouchers/index.js";
import { channel_length_max } from "./publication.js";
import { toPublicationBody } from "./publication.render.js";
import { type PublicationBody, PublicationCreate, type PublicationCreateQuery } from "./publication.schemas.js";
import { publish } from "./publication.service.js";

/** What the caller is shown of a publication. */
type PublicationView = (publication: PublicationBody) => PublicationBody;

const places = metadataPlaces(PublicationCreate);

/** `POST /v1/publications` (vouchers-and-campaigns.md §11.1). */
export async function createPublication(
  context: Context,
  call: Call,
  input: PublicationCreate,
  join_once: boolean,
  shownOf: PublicationView = (publication) => publication,
): Promise<PublicationBody> {
  const { customer, voucher, campaign, source_id, metadata, channel } = input;
  assertNamed(customer);
  if (!voucher && !campaign) throw refusals.missingVouchers();
  // A code that is named is what is wanted, whatever campaign stands beside it.
  const count = voucher ? 1 : (campaign?.count ?? 1);
  if (source_id && count > 1) throw refusals.tooManyVouchers();
  const named = voucher || !campaign ? null : await knownCampaign(context.db, call.project_id, campaign.name);
  const request = {
    customer,
    campaign_id: named?.id ?? null,
    code: voucher || null,
    source_id: source_id || null,
    metadata: metadata ?? {},
    channel: (channel || call.label || originOf(call.caller)).slice(0, channel_length_max),
    join_once,
    count,
  };
  return publish(context, call, request, async (given, db) => {
    const { publication, vouchers } = given;
    const [voucher] = vouchers;
    const ids = vouchers.map(({ id }) => id);
    const shown =
      publication.voucher_id === null
        ? { vouchers: vouchers.map(({ code }) => code) }
        : { voucher: await readVoucherBody(context, db, call, voucher) };
    return shownOf(toPublicationBody(publication, given.customer, shown, ids));
  });
}

/** An e-mail address is a name too, of somebody new each time (§11.1). */
function assertNamed({ id, source_id, email }: CustomerInput): void {
  if (!id && !source_id && !email)
    throw problems.invalidPayload("Property .customer should have required property 'source_id'");
}

/** `GET /v1/publications/create`: the older call, for keys of integrations alone (§11.5). */
export async function createPublicationByQuery(
  context: Context,
  call: Call,
  { join_once = false, ...query }: PublicationCreateQuery,
): Promise<PublicationBody> {
  if (!isIntegration(call.caller)) throw problems.integrationKeyRequired();
  assertMayChange(call);
  assertMetadata(call, places, query, ["publication"]);
  if ((query.campaign?.count ?? 1) > 1 && !query.voucher) throw refusals.tooManyVouchers();
  call.metadata_schemas.assertFits("publication", query.metadata, { is_made: true });
  return createPublication(context, call, query, join_once);
}
