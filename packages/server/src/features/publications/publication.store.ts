import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/database.js";
import { column, jsonColumn, sql } from "../../platform/sql.js";
import { part } from "../../recording/index.js";
import type { Publication, VoucherHolder } from "./publication.js";

const fields = sql`
  publications.id, publications.customer_id, publications.campaign_id, publications.voucher_id, publications.source_id,
  publications.channel, publications.metadata, publications.result, publications.failure_code,
  publications.failure_message, publications.created_at`;

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

/**
 * The next cards of a campaign that may be given, in the order of their creation. The condition names the type as the
 * index does: without it the cards given before would be walked over.
 */
export const findNextCards = (db: Queries, project_id: string, campaign_id: string, count_max: number) =>
  db.many<{ id: string }>(sql`
    select vouchers.id from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.campaign_id = ${campaign_id}
       and vouchers.type = 'LOYALTY_CARD'
       and vouchers.publish_count = 0
       and vouchers.deleted_at is null
       and vouchers.active is not false
     order by vouchers.created_at, vouchers.id
     limit ${count_max}`);

/** Gives a voucher to a customer, if it still is as it was read; answers how many were given. */
export const giveVoucher = (
  tx: Tx,
  project_id: string,
  given: {
    voucher_id: string;
    customer_id: string;
    publish_count: number;
    /** Null leaves the voucher's own. */
    expiration_date: Instant | null;
    instant: Instant;
  },
) =>
  tx.run(sql`
    update vouchers
       set holder_id = coalesce(vouchers.holder_id, ${given.customer_id}),
           publish_count = vouchers.publish_count + 1,
           expiration_date = coalesce(${isoOf(given.expiration_date)}::timestamptz, vouchers.expiration_date),
           updated_at = ${isoOf(given.instant)}
     where vouchers.project_id = ${project_id}
       and vouchers.id = ${given.voucher_id}
       and vouchers.publish_count = ${given.publish_count}
       and vouchers.active is not false
       and vouchers.deleted_at is null`);

async function insertPublications(tx: Tx, project_id: string, publications: readonly Publication[]): Promise<void> {
  const rows = publications.map((publication) => ({ ...publication, created_at: isoOf(publication.created_at) }));
  await tx.run(sql`
    insert into publications (project_id, id, customer_id, campaign_id, voucher_id, source_id, channel, metadata, result,
                              failure_code, failure_message, created_at)
    select ${project_id}, publication.*
      from unnest(${column(rows, "id")}::text[], ${column(rows, "customer_id")}::text[],
                  ${column(rows, "campaign_id")}::text[], ${column(rows, "voucher_id")}::text[],
                  ${column(rows, "source_id")}::text[], ${column(rows, "channel")}::text[],
                  ${jsonColumn(rows, "metadata")}::jsonb[], ${column(rows, "result")}::text[],
                  ${column(rows, "failure_code")}::text[], ${column(rows, "failure_message")}::text[],
                  ${column(rows, "created_at")}::timestamptz[]) as publication`);
}

/** Publications, granted and refused. */
export const publication_rows = part<Publication>("publications", "objects", insertPublications);

/** One customer holds a voucher once, however often it is published to them. Answers how many were written. */
export const insertHolder = (tx: Tx, project_id: string, holder: VoucherHolder) =>
  tx.run(sql`
    insert into voucher_holders (project_id, id, voucher_id, customer_id, role, campaign_id, publication_id, created_at)
    values (${project_id}, ${holder.id}, ${holder.voucher_id}, ${holder.customer_id}, ${holder.role},
            ${holder.campaign_id}, ${holder.publication_id}, ${isoOf(holder.created_at)})
    on conflict (project_id, voucher_id, customer_id) do nothing`);
