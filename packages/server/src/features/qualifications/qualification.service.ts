import type { Scenario } from "@guerdon/engine";
import type { FastifyRequest } from "fastify";
import {
  candidates_at_once_max,
  type Deciding,
  decidingRequest,
  no_sources,
  openQualification,
  orderView,
  type Qualifying,
  type Sources,
  stackingRulesView,
  trackingIdOf,
  trackingOf,
} from "../../deciding/index.js";
import type { Call } from "../projects/index.js";
import { codeKey } from "../vouchers/index.js";
import { cursorFrom, cursorText } from "./cursor.js";
import { dealPage, newestPage, placeOf, rowsOfNewestPage } from "./page.js";
import { filtersOf } from "./qualification.filters.js";
import { entriesOf } from "./qualification.render.js";
import type { QualificationAnswer, QualificationBody } from "./qualification.schemas.js";

const limit_unless_given = 5;

/** What each scenario looks at (redemption.md §13.2); where the customer plays no part, what they hold does not either. */
const promotions: Sources = { ...no_sources, tiers: true, campaigns: true, standalone: true, generic: true };
const everything: Sources = { ...promotions, wallet: true };
const sources_of: Readonly<Record<Scenario, Sources>> = {
  ALL: everything,
  CUSTOMER_WALLET: { ...no_sources, wallet: true },
  AUDIENCE_ONLY: everything,
  PRODUCTS: promotions,
  PRODUCTS_DISCOUNT: promotions,
  PROMOTION_STACKS: { ...no_sources, stacks: true },
  PRODUCTS_BY_CUSTOMER: everything,
  PRODUCTS_DISCOUNT_BY_CUSTOMER: everything,
};

type Options = NonNullable<QualificationBody["options"]>;

/** Null: newest first. */
const dealOrderOf = ({ sorting_rule }: Options) => (sorting_rule === "DEFAULT" ? null : (sorting_rule ?? null));

/** How many rows a qualification holds at once: by deals, as many as are weighed together. */
export function rowsOfQualification({ body }: Pick<FastifyRequest, "body">): number {
  const options = (body as QualificationBody).options ?? {};
  return dealOrderOf(options) ? candidates_at_once_max : rowsOfNewestPage(options.limit ?? limit_unless_given);
}

/** `POST /v1/qualifications`: what the customer could use for the cart, each by itself, and nothing stored (redemption.md §13). */
export async function qualify(deciding: Deciding, call: Call, body: QualificationBody): Promise<QualificationAnswer> {
  const { context } = deciding;
  const { session, scenario: asked, options, ...situation } = body;
  const { limit, starting_after, expand, filters } = options ?? {};
  const tracking = trackingOf(context.seal, call.project_id);
  const request = decidingRequest(call, { ...situation, redeemables: [] }, tracking);
  const scenario = asked ?? "ALL";
  const cursor = cursorFrom(starting_after);
  const deal_order = dealOrderOf(options ?? {});
  const qualifying = await openQualification(deciding, {
    request,
    scenario,
    sources: sources_of[scenario],
    ...filtersOf(filters, (code) => codeKey(call.project, code)),
    // By deals, what stands on a page is known when all is.
    behind: deal_order ? null : placeOf(cursor),
  });
  const rows = limit ?? limit_unless_given;
  const { qualified, next } = deal_order
    ? await dealPage(qualifying, cursor, rows, deal_order)
    : await newestPage(qualifying, cursor, rows);
  const show = { ...qualifying, scenario, expand: new Set(expand ?? []), locked_credits: Boolean(session) };
  const data = await entriesOf(context, request, qualified, show);
  return {
    redeemables: {
      object: "list",
      data_ref: "data",
      data,
      total: data.length,
      has_more: next !== null,
      ...(next ? { more_starting_after: cursorText(next) } : {}),
    },
    tracking_id: trackingIdOf(request, qualifying.customer) ?? undefined,
    ...orderAsItCame(qualifying),
    stacking_rules: stackingRulesView(qualifying.catalogue.stacking_rules),
  };
}

/** The normalised cart, without sums: what it comes to hangs on what is chosen. */
function orderAsItCame({ order, stored }: Qualifying): Pick<QualificationAnswer, "order"> {
  if (order === null) return {};
  const { items, metadata, customer_id, referrer_id, object } = orderView(order, nothing_done, stored);
  return { order: { items, metadata, customer_id: customer_id ?? null, referrer_id: referrer_id ?? null, object } };
}

const nothing_done = { discount_amount: 0, lines: [] };
