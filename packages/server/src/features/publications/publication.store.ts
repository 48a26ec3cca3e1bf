import type { Queries, Tx } from "../../platform/db/database.js";
import { column, sql } from "../../platform/db/sql.js";
import { insertInto, int8, jsonb, metadata, table, text, timestamptz } from "../../platform/db/table.js";
import { part } from "../../recording/index.js";
import type { Publication, PublishedVoucher, VoucherHolder } from "./publication.js";

const publications = table<Publication>("publications", {
  id: text,
  customer_id: text,
  campaign_id: text,
  voucher_id: text,
  source_id: text,
  channel: text,
  metadata,
  result: text,
  failure_code: text,
  failure_message: text,
  created_at: timestamptz,
});
export const publication_fields = publications.fields;
const fields = publication_fields;

const publication_vouchers = table<PublishedVoucher>("publication_vouchers", {
  publication_id: text,
  place: int8,
  voucher_id: text,
});

const voucher_holders = table<VoucherHolder>("voucher_holders", {
  id: text,
  voucher_id: text,
  customer_id: text,
  role: text,
  campaign_id: text,
  publication_id: text,
  metadata: jsonb,
  created_at: timestamptz,
});
export const voucher_holder_fields = voucher_holders.fields;

/** The publication that took a source id; refused ones take none. */
export const findPublicationBySourceId = (db: Queries, project_id: string, source_id: string) =>
  db.maybe<Publication>(sql`
    select ${fields} from publications
     where publications.project_id = ${project_id}
       and publications.source_id = ${source_id}
       and publications.result = 'SUCCESS'`);

/** The publication by which a customer holds a live voucher of a campaign: the first, should there be several. */
export const findPublicationOfHolder = (db: Queries, project_id: string, campaign_id: string, customer_id: string) =>
  db.maybe<Publication>(sql`
    select ${fields}
      from voucher_holders
      join vouchers on vouchers.project_id = voucher_holders.project_id and vouchers.id = voucher_holders.voucher_id
      join publications
        on publications.project_id = voucher_holders.project_id and publications.id = voucher_holders.publication_id
     where voucher_holders.project_id = ${project_id}
       and voucher_holders.customer_id = ${customer_id}
       and voucher_holders.campaign_id = ${campaign_id}
       and vouchers.deleted_at is null
     order by voucher_holders.created_at, voucher_holders.id
     limit 1`);

export const findPublicationsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Publication>(sql`
    select ${fields} from publications
     where publications.project_id = ${project_id} and publications.id = any(${ids}::text[])`);

/** A voucher, and the customer whose publication of it is preferred; null: nobody's. */
interface VoucherGiven {
  voucher_id: string;
  customer_id: string | null;
}

/**
 * What the publisher wrote when each of the vouchers was last given to the customer or, where it never was, to anybody; alone or among
 * several.
 */
export const findPublicationMetadata = (db: Queries, project_id: string, given: readonly VoucherGiven[]) =>
  db.many<VoucherGiven & Pick<Publication, "metadata">>(sql`
    select given.voucher_id, given.customer_id, last.metadata
      from unnest(${column(given, "voucher_id")}::text[], ${column(given, "customer_id")}::text[])
             as given (voucher_id, customer_id)
     cross join lateral (
       select found.metadata
         from ((select publications.metadata, publications.created_at, publications.id, true as is_own
                  from publications
                 where publications.project_id = ${project_id} and publications.voucher_id = given.voucher_id
                   and publications.customer_id = given.customer_id and publications.result = 'SUCCESS'
                 order by publications.created_at desc, publications.id desc limit 1)
               union all
               (select publications.metadata, publications.created_at, publications.id, false
                  from publications
                 where publications.project_id = ${project_id} and publications.voucher_id = given.voucher_id
                   and publications.result = 'SUCCESS'
                 order by publications.created_at desc, publications.id desc limit 1)
               union all
               -- A publication of several is granted as a whole, and names none of them itself.
               select publications.metadata, publications.created_at, publications.id,
                      coalesce(publications.customer_id = given.customer_id, false)
                 from publication_vouchers
                 join publications
                   on publications.project_id = publication_vouchers.project_id
                  and publications.id = publication_vouchers.publication_id
                where publication_vouchers.project_id = ${project_id}
                  and publication_vouchers.voucher_id = given.voucher_id) as found
        order by found.is_own desc, found.created_at desc, found.id desc limit 1) as last`);

/** Publications, granted and refused. */
export const publication_rows = part<Publication>("publications", "objects", (project_id, made) => [
  insertInto(publications, project_id, made),
]);

/** What publications of several vouchers gave. */
export const published_voucher_rows = part<PublishedVoucher>("publication_vouchers", "objects", (project_id, given) => [
  insertInto(publication_vouchers, project_id, given),
]);

/** What publications of several gave, in its order. A voucher that was deleted for good has no code any more. */
export const findPublishedVouchers = (db: Queries, project_id: string, publication_ids: readonly string[]) =>
  db.many<PublishedVoucher & { code: string | null }>(sql`
    select publication_vouchers.publication_id, publication_vouchers.place, publication_vouchers.voucher_id, vouchers.code
      from publication_vouchers
      left join vouchers
        on vouchers.project_id = publication_vouchers.project_id and vouchers.id = publication_vouchers.voucher_id
     where publication_vouchers.project_id = ${project_id}
       and publication_vouchers.publication_id = any(${publication_ids}::text[])
     order by publication_vouchers.publication_id, publication_vouchers.place`);

/**
 * One customer holds a voucher once, however often it is published to them. Answers those of the holders that are new. Written in one
 * order for everybody, since whoever comes second waits.
 */
export const insertHolders = (tx: Tx, project_id: string, holders: readonly VoucherHolder[]) =>
  tx.many<{ id: string }>(sql`
    ${insertInto(voucher_holders, project_id, holders.toSorted(byVoucherAndCustomer))} on conflict (project_id, voucher_id, customer_id) do nothing
    returning voucher_holders.id`);

const byVoucherAndCustomer = (one: VoucherHolder, other: VoucherHolder) =>
  `${one.voucher_id} ${one.customer_id}` < `${other.voucher_id} ${other.customer_id}` ? -1 : 1;

/** Answers how many there were. */
export const deleteHolder = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from voucher_holders where voucher_holders.project_id = ${project_id} and voucher_holders.id = ${id}`);

/** Leaves of what was given to a customer that it was given; nothing that the publisher wrote. */
export const forgetPublicationsOf = (tx: Tx, project_id: string, { id }: { id: string }) =>
  tx.run(sql`
    update publications set source_id = null, metadata = '{}'
     where publications.project_id = ${project_id} and publications.customer_id = ${id}`);
