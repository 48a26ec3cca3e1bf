import { sql } from "../../platform/db/sql.js";
import { dateField } from "../../platform/listing/index.js";
import { customerField } from "../customers/index.js";
import { asItIs, type ExportedObject, type ExportProject, type ExportRows, moment } from "../exports/index.js";
import { publicationFilterable } from "./publication-list.filters.js";
import { sortKeys } from "./publication-list.store.js";

const joins = {
  campaign: sql`
    left join campaigns on campaigns.project_id = publications.project_id and campaigns.id = publications.campaign_id`,
  customer: sql`
    left join customers on customers.project_id = publications.project_id and customers.id = publications.customer_id`,
};

/** Of several codes a list, in their order. */
const codes = asItIs(sql`array(
  select vouchers.code
    from (select 0 as place, publications.voucher_id where publications.voucher_id is not null
          union all
          select publication_vouchers.place, publication_vouchers.voucher_id from publication_vouchers
           where publication_vouchers.project_id = publications.project_id
             and publication_vouchers.publication_id = publications.id) as given
    join vouchers on vouchers.project_id = publications.project_id and vouchers.id = given.voucher_id
   order by given.place)`);

const fields: ExportRows["fields"] = {
  // Two names of one field (vouchers-and-campaigns.md §10.2).
  code: codes,
  voucher_code: codes,
  customer_id: asItIs(sql`publications.customer_id`),
  customer_source_id: asItIs(sql`customers.source_id`, "customer"),
  date: moment(sql`publications.created_at`),
  channel: asItIs(sql`publications.channel`),
  campaign: asItIs(sql`campaigns.name`, "campaign"),
  // Always empty, as the contract has it.
  is_winner: asItIs(sql`null::text`),
};

/** What the list may be filtered by, and the short names that exports have beside it (§10.3). */
function filterableOf(project: ExportProject): ExportRows["filterable"] {
  const { fields, ...others } = publicationFilterable(project);
  return {
    ...others,
    fields: {
      ...fields,
      created_at: dateField(sql`publications.created_at`),
      ...(fields.campaign_name && { campaign: fields.campaign_name }),
      customer: customerField(sql`publications.customer_id`, project.id),
      ...(fields.voucher_code && { voucher: fields.voucher_code }),
    },
  };
}

/** Publications, granted or not. */
const publicationExport: ExportedObject = {
  name: "publication",
  default_fields: ["code", "customer_id", "date", "channel"],
  default_order: "-created_at",
  of: (project) => ({
    table: sql`publications`,
    joins,
    fields,
    orders: sortKeys(project.id),
    filterable: filterableOf(project),
    metadata: { object: "publication", document: sql`publications.metadata` },
  }),
};

export const exported = [publicationExport];
