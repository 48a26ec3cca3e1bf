import { countInCampaigns, openCards } from "../../books/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Tx } from "../../platform/db/database.js";
import { StartOver, violatedConstraint } from "../../platform/db/database-errors.js";
import { column, plannedEachTime, type Sql, sql } from "../../platform/db/sql.js";
import { insertAlike, insertInto } from "../../platform/db/table.js";
import type { NewVoucher } from "./voucher.js";
import { vouchers } from "./voucher.store.js";
import { addToCount } from "./voucher-counts.store.js";

export interface NewCode {
  id: string;
  code: string;
  code_key: string;
}

/**
 * Writes vouchers that differ in their codes only, with their balances and their campaign's count, and passes over codes
 * that are taken, in the bin too. Answers what was written. One statement, however many, and one for the balances of cards.
 */
export async function insertVouchers(
  tx: Tx,
  project_id: string,
  made: NewVoucher,
  codes: readonly NewCode[],
  instant: Instant,
): Promise<NewCode[]> {
  const insert = insertInto(vouchers, project_id, inOrder(codes), { ...made, ...justMade(instant) });
  const written = await insertCounted(tx, project_id, made.campaign_id, insert);
  const opening = made.gift?.amount ?? made.loyalty_card?.points ?? null;
  if (opening !== null) await openCards(tx, project_id, column(written, "id"), opening);
  await countMade(
    tx,
    project_id,
    made.campaign_id,
    written.map(() => made),
    instant,
  );
  return written;
}

/**
 * Writes vouchers of one campaign, or of none, that differ in everything, and whose codes nobody had when they were looked for: where
 * somebody has taken one since, the transaction begins anew. Left to the caller: what was spent from cards, and to count them all.
 */
export async function insertFreeVouchers(
  tx: Tx,
  project_id: string,
  campaign_id: string | null,
  made: readonly (NewCode & NewVoucher)[],
  instant: Instant,
): Promise<void> {
  if (made.length === 0) return;
  try {
    const insert = insertAlike(vouchers, project_id, inOrder(made), { campaign_id, ...justMade(instant) });
    await tx.run(plannedEachTime(insert));
  } catch (error) {
    // Passing over them (`on conflict`) looks each code up once more: a tenth of what a row costs, for what hardly ever happens.
    if (violatedConstraint(error) === "vouchers_code") throw new StartOver("a code was taken meanwhile");
    throw error;
  }
}

/** Counts such vouchers for their campaign, or with those of none. */
export async function countFreeVouchers(
  tx: Tx,
  project_id: string,
  campaign_id: string | null,
  made: readonly NewVoucher[],
  instant: Instant,
): Promise<void> {
  if (made.length === 0) return;
  await tx.run(addToCount(project_id, campaign_id, 0, sql`${made.length}::bigint`));
  await countMade(tx, project_id, campaign_id, made, instant);
}

/** What their campaign's summary says of them. */
async function countMade(
  tx: Tx,
  project_id: string,
  campaign_id: string | null,
  made: readonly NewVoucher[],
  instant: Instant,
): Promise<void> {
  if (campaign_id === null || made.length === 0) return;
  const opened = made.reduce((sum, { gift, loyalty_card }) => sum + (gift?.amount ?? loyalty_card?.points ?? 0), 0);
  const counts = { vouchers_created: made.length, opened };
  await countInCampaigns(tx, project_id, [{ campaign_id, at: instant, counts }], "vouchers");
}

const justMade = (created_at: Instant) => ({ holder_id: null, publish_count: 0, created_at, updated_at: null });

/** In the order of the index on codes, so that two statements that meet there wait for each other one way only. */
const inOrder = <Code extends NewCode>(codes: readonly Code[]) =>
  [...codes].sort((a, b) => (a.code_key < b.code_key ? -1 : 1));

const insertCounted = (tx: Tx, project_id: string, campaign_id: string | null, insert: Sql) =>
  tx.many<NewCode>(sql`
    with made as (
      ${insert}
      on conflict (project_id, code_key) do nothing
      returning vouchers.id, vouchers.code, vouchers.code_key
    ), counted as (
      ${addToCount(project_id, campaign_id, 0, sql`count(*) from made`)}
    )
    select made.id, made.code, made.code_key from made`);

/** Which of the codes nobody has, in the bin neither: their places in the list. */
export const findFreeCodes = (tx: Tx, project_id: string, code_keys: readonly string[]) =>
  tx.many<{ place: number }>(sql`
    select asked.place - 1 as place
      from unnest(${code_keys}::text[]) with ordinality as asked (code_key, place)
     where not exists (
       select from vouchers where vouchers.project_id = ${project_id} and vouchers.code_key = asked.code_key)`);
