import { type CardSums, isHeldInRows, liveSums, lots_of_voucher, pending_of_voucher } from "../../books/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { probed, type Sql, sql, type UniqueColumn } from "../../platform/db/sql.js";
import type { LockedVoucher, NamedVoucher, VoucherLocks, VoucherType } from "./voucher.js";
import { vouchers } from "./voucher.store.js";

/** What redeemables may name: by code in the form of `codeKey`, or by id. */
interface VoucherNames {
  code_keys: readonly string[];
  ids: readonly string[];
}

/** Whose locks are asked about, when, and of which vouchers something is held as far as is known. */
interface HeldAsked {
  /** Keys of the requests' own sessions. */
  session_keys: readonly string[];
  instant: Instant;
  /** Ids of vouchers that hold something: it is read in the same round trip. Of others that do, in a second one. */
  holding: readonly string[];
  /** Redemptions may follow, under the keys of the vouchers: whoever only asks need not know where their histories are. */
  is_recording: boolean;
}

/** What few vouchers have: a balance, points that are to come or to expire, locks. */
interface Held extends Pick<LockedVoucher, keyof CardSums | "pending" | "lots"> {
  locks: VoucherLocks;
}

const nothing_held: Held = {
  opening: null,
  added: null,
  subtracted: null,
  expired: null,
  redeemed: null,
  balance: null,
  pending: null,
  lots: null,
  locks: { sessions: 0, credits: 0, own: [] },
};

/** A voucher as deciding finds it. */
interface FoundVoucher extends LockedVoucher {
  /** Rows hold the history of its redemptions; false where nobody records. */
  is_held_in_rows: boolean;
}

/** Whether vouchers of a type hold something in any case. */
export const holds = ({ type }: { type: VoucherType }): boolean => type !== "DISCOUNT_VOUCHER";

const rule_list = sql`
  coalesce((
    select json_agg(validation_rules_assignments.rule_id order by validation_rules_assignments.id)
      from validation_rules_assignments
     where validation_rules_assignments.project_id = vouchers.project_id
       and validation_rules_assignments.related_object_id = vouchers.id
  ), '[]') as rule_ids`;

/** Of a row of `vouchers`, for what is looked up by it. */
const of_voucher = { project_id: sql`vouchers.project_id`, id: sql`vouchers.id` };

const of_code: UniqueColumn = { table: sql`vouchers`, column: sql`code_key` };
const of_id: UniqueColumn = { table: sql`vouchers`, column: sql`id` };

/** The vouchers of the names, each once, as `vouchers`. */
function named(project_id: string, { code_keys, ids }: VoucherNames): Sql {
  const by_code = sql`
    select vouchers.* from ${probed(of_code, project_id, code_keys)} where vouchers.project_id = ${project_id}`;
  const by_id = sql`
    union
    select vouchers.* from vouchers
     where vouchers.project_id = ${project_id} and vouchers.id = any(${ids}::text[])`;
  return sql`(${by_code} ${ids.length === 0 ? sql`` : by_id}) as vouchers`;
}

/** The vouchers of the names, as locking them needs them. */
export const findNamedVouchers = (db: Queries, project_id: string, names: VoucherNames) =>
  db.many<NamedVoucher>(sql`
    select vouchers.id, vouchers.code_key, vouchers.campaign_id, vouchers.type, ${rule_list}
      from ${named(project_id, names)}
     where vouchers.project_id = ${project_id} and vouchers.deleted_at is null`);

/**
 * The keys of the vouchers of the names, for `lockNamed`, and those of what their redemptions count in: held alone where one of their rules,
 * or of their campaigns', is among those that count.
 */
export function keysOfVouchers(project_id: string, names: VoucherNames, rules_that_count: readonly string[]): Sql {
  const of_none = sql`(values ('voucher:' || vouchers.id, 'alone'), ('counter:' || vouchers.campaign_id, 'shared'))`;
  const of_some = sql`(
    select 'voucher:' || vouchers.id, 'alone'
     union all
    select 'counter:' || counted.id, case when rules.count then 'alone' else 'shared' end
      from (select exists (select from validation_rules_assignments
                            where validation_rules_assignments.project_id = ${project_id}
                              and validation_rules_assignments.related_object_id in (vouchers.id, vouchers.campaign_id)
                              and validation_rules_assignments.rule_id = any(${rules_that_count}::text[])) as count) as rules
     cross join lateral (values (vouchers.campaign_id), (case when rules.count then vouchers.id end)) as counted (id))`;
  return sql`
    select key.name, key.way
      from ${named(project_id, names)} cross join lateral ${rules_that_count.length > 0 ? of_some : of_none} as key (name, way)
     where vouchers.project_id = ${project_id} and vouchers.deleted_at is null and key.name is not null`;
}

/**
 * The vouchers of the names, as deciding needs them. Their category may be one that was deleted, which counts as none to whoever
 * looks it up.
 */
export async function findVouchersToDecide(
  db: Queries,
  project_id: string,
  names: VoucherNames,
  asked: HeldAsked,
): Promise<FoundVoucher[]> {
  const [found, expected] = await Promise.all([
    findPlain(db, project_id, names, asked),
    findHeld(db, project_id, asked.holding, asked),
  ]);
  const held = new Map(expected.map((one) => [one.id, one]));
  const others = found.filter((one) => (holds(one) || one.is_locked) && !held.has(one.id)).map(({ id }) => id);
  for (const one of await findHeld(db, project_id, others, asked)) held.set(one.id, one);
  return found.map((one) => Object.assign(one, held.get(one.id) ?? nothing_held));
}

/**
 * What every voucher has, and whether there is more. A plan with all that a card may have takes PostgreSQL as long to set up as to
 * run: most codes are not cards, and nobody locks them.
 */
const findPlain = (db: Queries, project_id: string, names: VoucherNames, { instant, is_recording }: HeldAsked) =>
  db.many<Omit<FoundVoucher, keyof Held> & { is_locked: boolean }>(sql`
    select ${vouchers.fields}, ${rule_list},
           coalesce((
             select voucher_usage.redeemed_quantity from voucher_usage
              where voucher_usage.project_id = vouchers.project_id and voucher_usage.voucher_id = vouchers.id
           ), 0) as redeemed_quantity,
           vouchers.quantity is not null and coalesce((
             select true from voucher_sessions
              where voucher_sessions.project_id = vouchers.project_id and voucher_sessions.voucher_id = vouchers.id
                and voucher_sessions.expires_at > ${isoOf(instant)} limit 1
           ), false) as is_locked,
           ${is_recording ? isHeldInRows(of_voucher) : sql`false`} as is_held_in_rows
      from ${named(project_id, names)}
     where vouchers.project_id = ${project_id} and vouchers.deleted_at is null`);

/**
 * What the vouchers hold: their balances, and what live sessions lock; of a voucher without a limit they lock nothing, however many
 * they are. Looked up one by one: a plan made while a table was small must not read it whole once it is large.
 */
async function findHeld(
  db: Queries,
  project_id: string,
  ids: readonly string[],
  { session_keys, instant }: HeldAsked,
): Promise<readonly (Held & { id: string })[]> {
  if (ids.length === 0) return [];
  return db.many<Held & { id: string }>(sql`
    select vouchers.id, card_balances.opening, card_balances.added, card_balances.subtracted, card_balances.expired,
           card_balances.redeemed, card_balances.balance, ${pending_of_voucher}, ${lots_of_voucher},
           case when vouchers.quantity is null and card_balances.balance is null
                then json_build_object('sessions', 0, 'credits', 0, 'own', '[]'::json)
                else (
             select json_build_object(
                      'sessions', live.sessions, 'credits', live.credits,
                      'own', (
                        select coalesce(json_agg(json_build_object(
                                 'session_key', voucher_sessions.session_key, 'credits', voucher_sessions.credits,
                                 'expires_at', (extract(epoch from voucher_sessions.expires_at) * 1000)::bigint)), '[]')
                          from voucher_sessions
                         where voucher_sessions.project_id = vouchers.project_id and voucher_sessions.voucher_id = vouchers.id
                           and voucher_sessions.session_key = any(${session_keys}::text[])
                           and voucher_sessions.expires_at > ${isoOf(instant)}))
               from ${liveSums(of_voucher, instant)} as live)
                 end as locks
      from ${probed(of_id, project_id, ids)}
           left join lateral (
             select * from card_balances
              where card_balances.project_id = vouchers.project_id and card_balances.voucher_id = vouchers.id limit 1
           ) as card_balances on true
     where vouchers.project_id = ${project_id}`);
}
