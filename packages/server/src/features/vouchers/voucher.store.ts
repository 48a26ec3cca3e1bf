import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/database.js";
import { column, jsonOf, type Sql, sql } from "../../platform/sql.js";
import { windowColumns } from "../../terms/index.js";
import type { LockedVoucher, NamedVoucher, NewVoucher, VoucherCampaign, VoucherRow } from "./voucher.js";

/** The columns of a {@link VoucherRow}. A category that was deleted counts as none. */
export const voucher_fields = sql`
  vouchers.id, vouchers.code, vouchers.code_key, vouchers.campaign_id, vouchers.type, vouchers.discount, vouchers.gift,
  vouchers.loyalty_card, vouchers.quantity, categories.id as category_id, vouchers.start_date, vouchers.expiration_date,
  vouchers.validity_timeframe, vouchers.validity_day_of_week, vouchers.validity_hours, vouchers.active,
  vouchers.additional_info, vouchers.metadata, vouchers.is_referral_code, vouchers.holder_id, vouchers.publish_count,
  vouchers.created_at, vouchers.updated_at, coalesce(voucher_usage.redeemed_quantity, 0) as redeemed_quantity,
  card_balances.opening, card_balances.added, card_balances.subtracted, card_balances.expired, card_balances.redeemed,
  card_balances.balance`;

export const voucher_sources = sql`
  vouchers
  left join voucher_usage
    on voucher_usage.project_id = vouchers.project_id and voucher_usage.voucher_id = vouchers.id
  left join card_balances
    on card_balances.project_id = vouchers.project_id and card_balances.voucher_id = vouchers.id
  left join categories
    on categories.project_id = vouchers.project_id and categories.id = vouchers.category_id`;

const lock_list = sql`
  coalesce((
    select json_agg(json_build_object(
             'session_key', voucher_sessions.session_key, 'credits', voucher_sessions.credits,
             'expires_at', (extract(epoch from voucher_sessions.expires_at) * 1000)::bigint))
      from voucher_sessions
     where voucher_sessions.project_id = vouchers.project_id and voucher_sessions.voucher_id = vouchers.id
  ), '[]') as locks`;

const rule_list = sql`
  coalesce((
    select json_agg(validation_rules_assignments.rule_id order by validation_rules_assignments.id)
      from validation_rules_assignments
     where validation_rules_assignments.project_id = vouchers.project_id
       and validation_rules_assignments.related_object_id = vouchers.id
  ), '[]') as rule_ids`;

/**
 * What a voucher is joined with when it is decided on. Looked up one by one: a plan made while a table was small must not
 * read it whole once it is large.
 */
const sources_one_by_one = sql`
  left join lateral (
    select * from voucher_usage
     where voucher_usage.project_id = vouchers.project_id and voucher_usage.voucher_id = vouchers.id limit 1
  ) as voucher_usage on true
  left join lateral (
    select * from card_balances
     where card_balances.project_id = vouchers.project_id and card_balances.voucher_id = vouchers.id limit 1
  ) as card_balances on true
  left join lateral (
    select * from categories
     where categories.project_id = vouchers.project_id and categories.id = vouchers.category_id limit 1
  ) as categories on true`;

/** What redeemables may name: by code in the form of `codeKey`, or by id. */
export interface VoucherNames {
  code_keys: readonly string[];
  ids: readonly string[];
}

/** The vouchers of the names, each once, as `vouchers`. */
function named(project_id: string, { code_keys, ids }: VoucherNames): Sql {
  const by_code = sql`
    select vouchers.* from unnest(${code_keys}::text[]) as named (code_key),
           lateral (select * from vouchers
                     where vouchers.project_id = ${project_id} and vouchers.code_key = named.code_key limit 1) as vouchers`;
  const by_id = sql`
    union
    select vouchers.* from vouchers
     where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[])`;
  return sql`(${by_code} ${ids.length === 0 ? sql`` : by_id}) as vouchers`;
}

/** The vouchers of the names, as deciding needs them. */
export const findVouchersToDecide = (db: Queries, project_id: string, names: VoucherNames) =>
  db.many<LockedVoucher>(sql`
    select ${voucher_fields}, ${lock_list}, ${rule_list}
      from ${named(project_id, names)} ${sources_one_by_one}
     where vouchers.project_id = ${project_id} and vouchers.deleted_at is null`);

/** The vouchers of the names, as locking them needs them. */
export const findNamedVouchers = (db: Queries, project_id: string, names: VoucherNames) =>
  db.many<NamedVoucher>(sql`
    select vouchers.id, vouchers.code_key, vouchers.campaign_id, ${rule_list}
      from ${named(project_id, names)}
     where vouchers.project_id = ${project_id} and vouchers.deleted_at is null`);

export const findVouchersByIds = (
  db: Queries,
  project_id: string,
  ids: readonly string[],
  { bin_too } = { bin_too: false },
) =>
  db.many<VoucherRow>(sql`
    select ${voucher_fields} from ${voucher_sources}
     where vouchers.project_id = ${project_id}
       and vouchers.id = any(${ids}::text[])
       and (${bin_too}::boolean or vouchers.deleted_at is null)`);

/** By id or by code; an id wins where one text is both (vouchers-and-campaigns.md §3.3). */
export const findVoucher = (db: Queries, project_id: string, id: string, code_key: string) =>
  db.maybe<VoucherRow>(sql`
    select ${voucher_fields} from ${voucher_sources}
     where vouchers.project_id = ${project_id}
       and (vouchers.id = ${id} or vouchers.code_key = ${code_key})
       and vouchers.deleted_at is null
     order by vouchers.id = ${id} desc
     limit 1`);

export interface NewCode {
  id: string;
  code: string;
  code_key: string;
}

/**
 * Writes vouchers that differ in their codes only, with their balances and their campaign's count, and passes over codes
 * that are taken, in the bin too. Answers what was written. One statement, however many.
 */
export async function insertVouchers(
  tx: Tx,
  project_id: string,
  made: NewVoucher,
  codes: readonly NewCode[],
  instant: Instant,
): Promise<NewCode[]> {
  const window = windowColumns(made);
  // In the order of the index on codes, so that two statements that meet there wait for each other one way only.
  const sorted = [...codes].sort((a, b) => (a.code_key < b.code_key ? -1 : 1));
  const opening = made.gift?.amount ?? made.loyalty_card?.points ?? null;
  return tx.many<NewCode>(sql`
    with made as (
      insert into vouchers (project_id, id, code, code_key, campaign_id, type, discount, gift, loyalty_card, quantity,
        category_id, start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours, active,
        additional_info, metadata, is_referral_code, created_at)
      select ${project_id}, code.id, code.code, code.code_key, ${made.campaign_id}::text, ${made.type}::text,
             ${jsonOf(made.discount)}::jsonb, ${jsonOf(made.gift)}::jsonb, ${jsonOf(made.loyalty_card)}::jsonb,
             ${made.quantity}::bigint, ${made.category_id}::text, ${window.start_date}::timestamptz,
             ${window.expiration_date}::timestamptz, ${window.validity_timeframe}::jsonb,
             ${window.validity_day_of_week}::int[], ${window.validity_hours}::jsonb, ${made.active}::boolean,
             ${made.additional_info}::text, ${jsonOf(made.metadata)}::jsonb, ${made.is_referral_code}::boolean,
             ${isoOf(instant)}::timestamptz
        from unnest(${column(sorted, "id")}::text[], ${column(sorted, "code")}::text[],
                    ${column(sorted, "code_key")}::text[]) as code (id, code, code_key)
      on conflict (project_id, code_key) do nothing
      returning vouchers.id, vouchers.code, vouchers.code_key
    ), card as (
      insert into card_balances (project_id, voucher_id, opening, added, balance)
      select ${project_id}, made.id, ${opening}::bigint, ${opening}::bigint, ${opening}::bigint
        from made where ${opening}::bigint is not null
    ), counted as (
      insert into campaign_voucher_counts (project_id, campaign_id, slot, vouchers_count)
      select ${project_id}, ${made.campaign_id}::text, 0, count(*) from made
      having ${made.campaign_id}::text is not null and count(*) > 0
      on conflict (project_id, campaign_id, slot)
      do update set vouchers_count = campaign_voucher_counts.vouchers_count + excluded.vouchers_count
    )
    select made.id, made.code, made.code_key from made`);
}

/** Which of the codes nobody has, in the bin neither: their places in the list. */
export const findFreeCodes = (tx: Tx, project_id: string, code_keys: readonly string[]) =>
  tx.many<{ place: number }>(sql`
    select asked.place - 1 as place
      from unnest(${code_keys}::text[]) with ordinality as asked (code_key, place)
     where not exists (
       select from vouchers where vouchers.project_id = ${project_id} and vouchers.code_key = asked.code_key)`);

/** Writes what a person may change. Runs under the voucher's key. */
export async function updateVoucher(tx: Tx, project_id: string, voucher: VoucherRow): Promise<void> {
  const window = windowColumns(voucher);
  await tx.run(sql`
    update vouchers
       set discount = ${jsonOf(voucher.discount)}, category_id = ${voucher.category_id},
           start_date = ${window.start_date}, expiration_date = ${window.expiration_date},
           validity_timeframe = ${window.validity_timeframe}, validity_day_of_week = ${window.validity_day_of_week},
           validity_hours = ${window.validity_hours}, active = ${voucher.active},
           additional_info = ${voucher.additional_info}, metadata = ${jsonOf(voucher.metadata)},
           updated_at = ${isoOf(voucher.updated_at)}
     where vouchers.project_id = ${project_id} and vouchers.id = ${voucher.id} and vouchers.deleted_at is null`);
}

/**
 * Puts vouchers in the bin, or deletes them for good. The books of a card stay: its ledger and balance name the voucher
 * by an id that nobody else will ever have (architecture.md §11). Answers how many there were.
 */
export async function deleteVouchers(
  tx: Tx,
  project_id: string,
  ids: readonly string[],
  { force, instant }: { force: boolean; instant: Instant },
): Promise<number> {
  if (!force) {
    return tx.run(sql`
      update vouchers set deleted_at = ${isoOf(instant)}
       where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[]) and vouchers.deleted_at is null`);
  }
  await tx.run(sql`
    delete from voucher_usage
     where voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = any(${ids}::text[])`);
  await tx.run(sql`
    delete from voucher_sessions
     where voucher_sessions.project_id = ${project_id} and voucher_sessions.voucher_id = any(${ids}::text[])`);
  await tx.run(sql`
    delete from voucher_holders
     where voucher_holders.project_id = ${project_id} and voucher_holders.voucher_id = any(${ids}::text[])`);
  return tx.run(sql`
    delete from vouchers where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[])`);
}

/** Takes vouchers off a campaign's count. Slots are many, so that deletions do not wait for generation. */
export const uncountVouchers = (tx: Tx, project_id: string, campaign_id: string, count: number) =>
  tx.run(sql`
    insert into campaign_voucher_counts (project_id, campaign_id, slot, vouchers_count)
    values (${project_id}, ${campaign_id}, 1, ${-count})
    on conflict (project_id, campaign_id, slot)
    do update set vouchers_count = campaign_voucher_counts.vouchers_count + excluded.vouchers_count`);

/** Ids of a campaign's live vouchers, or of all of them, a slice at a time. */
export const findVoucherIdsOfCampaign = (
  tx: Tx,
  project_id: string,
  campaign_id: string,
  { bin_too, count_max }: { bin_too: boolean; count_max: number },
) =>
  tx.many<{ id: string }>(sql`
    select vouchers.id from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.campaign_id = ${campaign_id}
       and (${bin_too}::boolean or vouchers.deleted_at is null)
     limit ${count_max}`);

const campaign_fields = sql`
  campaigns.id, campaigns.name, campaigns.campaign_type, campaigns.type, campaigns.voucher, campaigns.category_id,
  campaigns.metadata, campaigns.use_voucher_metadata_schema, campaigns.start_date, campaigns.expiration_date,
  campaigns.validity_timeframe, campaigns.validity_day_of_week, campaigns.validity_hours`;

/** The campaign that a new voucher joins, by id or by name. */
export const findVoucherCampaign = (
  db: Queries,
  project_id: string,
  { id, name }: { id: string | null; name: string | null },
) =>
  db.maybe<VoucherCampaign>(sql`
    select ${campaign_fields} from campaigns
     where campaigns.project_id = ${project_id}
       and (campaigns.id = ${id}::text or campaigns.name = ${name}::text)
       and campaigns.deleted_at is null
     order by coalesce(campaigns.id = ${id}::text, false) desc
     limit 1`);

export const findCampaignNames = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<{ id: string; name: string }>(sql`
    select campaigns.id, campaigns.name from campaigns
     where campaigns.project_id = ${project_id} and campaigns.id = any(${ids}::text[])`);

/** Whether a campaign has a voucher, in the bin too. */
export const hasVouchers = async (tx: Tx, project_id: string, campaign_id: string) =>
  (await tx.maybe(sql`
    select 1 from vouchers
     where vouchers.project_id = ${project_id} and vouchers.campaign_id = ${campaign_id} limit 1`)) !== undefined;
