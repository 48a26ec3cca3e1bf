import {
  applicableView,
  type Candidate,
  type Deciding,
  type DecidingRequest,
  decidingRequest,
  no_sources,
  openQualification,
  type Qualified,
  type Sources,
  trackingIdOf,
  trackingOf,
} from "../../../deciding/index.js";
import { isoOf } from "../../../platform/clock.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { type Campaign, type CampaignBody, findCampaignsByIds, toCampaignBodies } from "../../campaigns/index.js";
import type { Call } from "../../projects/index.js";
import { findVouchersByIds, toVoucherBodies, type VoucherRow } from "../../vouchers/index.js";
import { newestPage, weighAll } from "../page.js";
import type {
  CampaignQualificationQuery,
  OlderBody,
  QualifiedCampaigns,
  QualifiedVouchers,
  VoucherQualificationQuery,
} from "./older.schemas.js";

const limit_unless_given = 50;

/** `POST /v1/vouchers/qualification`: codes without a campaign (redemption.md §15). */
export async function qualifyVouchers(
  deciding: Deciding,
  call: Call,
  body: OlderBody,
  query: VoucherQualificationQuery,
): Promise<QualifiedVouchers> {
  const db = deciding.context.db.of(call.project_id);
  const rowsOf = (candidates: readonly Candidate[]) => findVouchersByIds(db, call.project_id, idsOf(candidates));
  const found = await qualifyOlder(
    deciding,
    call,
    body,
    query,
    { ...no_sources, standalone: true },
    (candidates, order) => ordered(candidates, order, rowsOf, keysOfVoucher),
  );
  const vouchers = await rowsOf(found.qualified.map(({ candidate }) => candidate));
  const bodies = new Map(
    (await toVoucherBodies(deciding.context, db, call, vouchers)).map((voucher) => [voucher.id, voucher]),
  );
  const data = found.qualified.flatMap(({ candidate, outcomes: [outcome] }) => {
    const voucher = bodies.get(candidate.id);
    if (!voucher || !outcome) return [];
    const view = applicableView(found, found.request, outcome, nothing_shown, null);
    return [{ ...voucher, applicable_to: view.applicable_to, inapplicable_to: view.inapplicable_to }];
  });
  return { ...listed(call, data), ...found.named };
}

/**
 * `POST /v1/campaigns/qualification`: campaigns whose codes are given out one by one, by what such a code would do
 * (redemption.md §15). The older shape knows no campaign of one code.
 */
export async function qualifyCampaigns(
  deciding: Deciding,
  call: Call,
  body: OlderBody,
  query: CampaignQualificationQuery,
): Promise<QualifiedCampaigns> {
  if (query.order === "code" || query.order === "-code") {
    throw problems.invalidQuery(`Property .order cannot be ${query.order}: campaigns have no code`);
  }
  const db = deciding.context.db.of(call.project_id);
  const rowsOf = (candidates: readonly Candidate[]) => findCampaignsByIds(db, call.project_id, idsOf(candidates));
  const sources = { ...no_sources, campaigns: true };
  const found = await qualifyOlder(deciding, call, body, query, sources, (candidates, order) =>
    ordered(candidates, order, rowsOf, keysOfCampaign),
  );
  const candidates = found.qualified.map(({ candidate }) => candidate);
  const bodies = new Map(
    (await toCampaignBodies(db, call.project_id, await rowsOf(candidates))).map((campaign) => [
      campaign.id,
      olderBody(campaign),
    ]),
  );
  return {
    ...listed(
      call,
      candidates.flatMap(({ id }) => bodies.get(id) ?? []),
    ),
    ...found.named,
  };
}

/** The older shape: a category instead of a list of them, and the length of codes as a text. */
function olderBody({ voucher, categories: [category], ...campaign }: CampaignBody) {
  const body = { ...campaign, ...(category ? { categories: category } : {}) };
  if (!voucher) return body;
  const { length } = voucher.code_config ?? {};
  const code_config = { ...voucher.code_config, ...(length === undefined ? {} : { length: String(length) }) };
  return { ...body, voucher: { ...voucher, code_config } };
}

const nothing_shown = { expansions: new Map(), categories: new Map() };
const idsOf = (candidates: readonly Candidate[]) => candidates.map(({ id }) => id);

const listed = <Row>({ instant }: Call, data: Row[]) => ({
  object: "list" as const,
  data_ref: "data" as const,
  data,
  total: data.length,
  id: newId("valid"),
  created_at: isoOf(instant),
});

type Query = VoucherQualificationQuery | CampaignQualificationQuery;
type ToOrder = (candidates: readonly Candidate[], order: string) => Promise<Candidate[]>;

async function qualifyOlder(
  deciding: Deciding,
  call: Call,
  body: OlderBody,
  { audienceRulesOnly, limit = limit_unless_given, order = "-created_at" }: Query,
  sources: Sources,
  toOrder: ToOrder,
) {
  const { session: _, ...asked } = body;
  const tracking = trackingOf(deciding.context.seal, call.project_id);
  const request: DecidingRequest = decidingRequest(call, { ...asked, redeemables: [] }, tracking);
  const qualifying = await openQualification(deciding, {
    request,
    scenario: audienceRulesOnly ? "AUDIENCE_ONLY" : "ALL",
    sources,
    matches: () => true,
    only: null,
    behind: null,
  });
  let qualified: readonly Qualified[];
  if (order === "-created_at") ({ qualified } = await newestPage(qualifying, null, limit));
  else {
    const all = (await weighAll(qualifying)).map(({ candidate }) => candidate);
    qualified = await qualifying.again((await toOrder(all, order)).slice(0, limit));
  }
  const tracking_id = trackingIdOf(request, qualifying.customer);
  return { ...qualifying, request, qualified, named: tracking_id ? { tracking_id } : {} };
}

/** What is read at once of what may be ten thousand rows with 64 KB of metadata each. */
const rows_at_once = 200;

/** Candidates by a field of what they are; those without it stand last. */
async function ordered<Row extends { id: string }>(
  candidates: readonly Candidate[],
  order: string,
  rowsOf: (candidates: readonly Candidate[]) => Promise<Row[]>,
  keys: Readonly<Record<string, (row: Row) => string | number | null>>,
): Promise<Candidate[]> {
  const [name, sign] = order.startsWith("-") ? [order.slice(1), -1] : [order, 1];
  const values = new Map<string, string | number | null>();
  for (let from = 0; from < candidates.length; from += rows_at_once) {
    for (const row of await rowsOf(candidates.slice(from, from + rows_at_once))) {
      values.set(row.id, keys[name]?.(row) ?? null);
    }
  }
  return [...candidates].sort((one, other) => {
    const [a, b] = [values.get(one.id) ?? null, values.get(other.id) ?? null];
    if (a === b) return one.id < other.id ? -sign : sign;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -sign : sign;
  });
}

const dates = {
  created_at: ({ created_at }: { created_at: number }) => created_at,
  updated_at: ({ updated_at, created_at }: { updated_at: number | null; created_at: number }) =>
    updated_at ?? created_at,
};
const keysOfVoucher = { ...dates, code: ({ code }: VoucherRow) => code };
const keysOfCampaign = {
  ...dates,
  type: ({ campaign_type }: Campaign) => campaign_type,
  category: ({ category_id }: Campaign) => category_id,
  campaign: ({ name }: Campaign) => name,
};
