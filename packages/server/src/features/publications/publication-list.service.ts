import type { Context } from "../../platform/context.js";
import { listBody } from "../../platform/http/lists.js";
import { countsOf, filterCondition, pageOf } from "../../platform/listing/index.js";
import { refusals } from "../../terms/index.js";
import { findCampaign } from "../campaigns/index.js";
import { findCustomer, findCustomersByIds } from "../customers/index.js";
import type { Call } from "../projects/index.js";
import { codeKey, findVouchersByIds, toVoucherBodies } from "../vouchers/index.js";
import type { Publication } from "./publication.js";
import { toListedPublication } from "./publication.render.js";
import { type ListedPublication, type PublicationQuery, page_max } from "./publication.schemas.js";
import { findPublishedVouchers } from "./publication.store.js";
import { publicationFilterable, typeNamed } from "./publication-list.filters.js";
import { listPublications } from "./publication-list.store.js";

/** `GET /v1/publications` (vouchers-and-campaigns.md §11.6). A name that means nothing matches nothing. */
export async function readPublications(context: Context, call: Call, query: PublicationQuery) {
  if ((query.page ?? 1) > page_max) throw refusals.pageOverLimit(page_max);
  const { db } = context;
  const { project, project_id } = call;
  const { result, is_referral_code, source_id } = query;
  const today = { instant: call.instant, time_zone: project.timezone };
  const filters =
    query.filters === undefined ? null : filterCondition(query.filters, publicationFilterable(project), today);
  const page = pageOf(query);
  const campaign = query.campaign === undefined ? undefined : await findCampaign(db, project_id, query.campaign);
  const customer = query.customer === undefined ? undefined : await findCustomer(db, project_id, query.customer);
  if ((query.campaign !== undefined && !campaign) || (query.customer !== undefined && !customer)) {
    return listBody("publications", [], 0);
  }
  const filter = {
    campaign_id: campaign?.id,
    customer_id: customer?.id,
    code_key: query.voucher === undefined ? undefined : codeKey(project, query.voucher),
    voucher_type: query.voucher_type === undefined ? undefined : typeNamed(query.voucher_type),
    result,
    is_referral_code,
    source_id,
    filters,
  };
  const listed = await listPublications(db, project_id, filter, query.order ?? "-created_at", page);
  return listBody("publications", await toListed(context, call, listed.rows), countsOf(listed, page));
}

/** The publications with what is around them now, read together. */
async function toListed(context: Context, call: Call, rows: readonly Publication[]): Promise<ListedPublication[]> {
  const { db } = context;
  const { project_id } = call;
  const several = rows.filter(({ result, voucher_id }) => result === "SUCCESS" && voucher_id === null);
  const single_ids = rows.flatMap(({ voucher_id }) => voucher_id ?? []);
  const [customers, vouchers, given] = await Promise.all([
    findCustomersByIds(db, project_id, [...new Set(rows.map(({ customer_id }) => customer_id))]),
    findVouchersByIds(db, project_id, [...new Set(single_ids)], { bin_too: true }),
    several.length === 0
      ? []
      : findPublishedVouchers(
          db,
          project_id,
          several.map(({ id }) => id),
        ),
  ]);
  const bodies = new Map((await toVoucherBodies(context, db, call, vouchers)).map((body) => [body.id, body]));
  const customer_of = new Map(customers.map((customer) => [customer.id, customer]));
  return rows.map((row) => {
    const customer = customer_of.get(row.customer_id);
    if (row.voucher_id !== null) {
      return toListedPublication(row, customer, { voucher: bodies.get(row.voucher_id) ?? null }, [row.voucher_id]);
    }
    const own = given.filter(({ publication_id }) => publication_id === row.id);
    const codes = own.flatMap(({ code }) => code ?? []);
    return toListedPublication(
      row,
      customer,
      { vouchers: codes },
      own.map(({ voucher_id }) => voucher_id),
    );
  });
}
