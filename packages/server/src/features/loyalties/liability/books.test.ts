import { beforeAll, describe, expect, test } from "vitest";
import { aContextApart } from "../../../../test/harness/database.js";
import { startService } from "../../../../test/harness/service.js";
import { type BookLaw, findBrokenBooks } from "../../../books/index.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { aReward, coin, given } from "../../rewards/reward.fixtures.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { api, clock, context, project, runDue } = service;

/** What is kept of a card's points, each table with what tells its rows of one card. */
const tables = ["card_balances", "ledger_entries", "point_lots", "pending_points"] as const;
type Books = Record<(typeof tables)[number], unknown>;

/** Points of every kind came and went on this card: made with, earned, activated, pending, spent, returned, removed, expired. */
async function aFullCard(): Promise<{ id: string; books: Books }> {
  const program = await aProgram(service, {}, 10);
  const pending_points = { period_type: "DAY", period_value: 3 };
  const rule = (points: number, more: object = {}) => ({
    event: "order.paid",
    loyalty: { type: "FIXED", points },
    ...more,
  });
  await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule(7), rule(5, { pending_points })], 200);
  const reward = await aReward(service, coin(1, 1));
  await given(service, program, reward);
  const { card, source_id } = await aMember(service, program);
  const order = { customer: { source_id }, amount: 1000, status: "PAID" };
  const move = (points: number, more: object = {}) =>
    api.post(`/v1/loyalties/members/${card.code}/balance`, { points, ...more }, 200);
  await api.post("/v1/orders", order, 200);
  await move(4, { expiration_type: "CUSTOM_DATE", expiration_date: "2027-05-15" });
  for (let day = 0; day < 3; day += 1) {
    clock.advance({ days: 1 });
    await runDue();
  }
  await move(6, { expiration_type: "CUSTOM_DATE", expiration_date: "2027-12-31" });
  await api.post("/v1/orders", order, 200);
  await runDue();
  const spent = { reward: { id: reward.id, points: 3 }, order: { amount: 1000, status: "CREATED" } };
  const { body } = await api.post(`/v1/loyalties/members/${card.code}/redemption`, spent, 200);
  await runDue();
  await api.post(`/v1/redemptions/${body.id}/rollback`, {}, 200);
  await api.post(`/v1/loyalties/members/${card.code}/redemption`, spent, 200);
  await runDue();
  await move(-2);
  return { id: card.id, books: await booksOf(card.id) };
}

async function booksOf(id: string): Promise<Books> {
  const rowsOf = async (table: string) => {
    const text = `select coalesce(json_agg(r), '[]') as rows from ${table} as r where r.project_id = $1 and r.voucher_id = $2`;
    return (await context.db.one<{ rows: unknown }>({ ...sql``, name: undefined, text, values: [project.id, id] }))
      .rows;
  };
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rowsOf(table)]))) as Books;
}

class Undone extends Error {}

describe("books that were spoiled are found, and what is wrong with them is named (loyalty.md §2.2)", () => {
  let full: { id: string; books: Books };

  beforeAll(async () => {
    full = await aFullCard();
  }, 60_000);

  /** The card's books in a database without the walls that would refuse to have them spoiled. */
  async function aLooseCopy() {
    const { db } = await aContextApart();
    const walls = await db.many<{ table: string; name: string }>(sql`
      select pg_constraint.conrelid::regclass::text as table, pg_constraint.conname as name from pg_constraint
       where pg_constraint.contype = 'c' and pg_constraint.conrelid = any(${tables as unknown as string[]}::text[]::regclass[])`);
    const run = (text: string, values: unknown[] = []) => db.run({ ...sql``, name: undefined, text, values });
    for (const { table, name } of walls) await run(`alter table ${table} drop constraint "${name}"`);
    for (const table of tables) {
      const rows = JSON.stringify(full.books[table]);
      await run(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows]);
    }
    return db;
  }

  const of_card = (table: Sql) => sql`${table}.project_id = ${project.id} and ${table}.voucher_id = ${full.id}`;
  const newest = () => sql`(select max(e.id) from ledger_entries as e where ${of_card(sql`e`)})`;
  /** Of the card's sums, what is laid over them. */
  const sums = (set: Sql) => () => sql`update card_balances set ${set} where ${of_card(sql`card_balances`)}`;
  const entry = (set: Sql) => () =>
    sql`update ledger_entries set ${set} where ${of_card(sql`ledger_entries`)} and ledger_entries.id = ${newest()}`;
  const pending = (set: Sql, status: string) => () =>
    sql`update pending_points set ${set} where ${of_card(sql`pending_points`)} and pending_points.status = ${status}`;
  const lots = (set: Sql, where: Sql) => () =>
    sql`update point_lots set ${set} where ${of_card(sql`point_lots`)} and ${where}`;

  const spoils: [string, () => Sql, BookLaw[]][] = [
    [
      "points came from nowhere",
      sums(sql`added = added + 1, redeemed = redeemed + 2`),
      ["balance is what came less what went", "the newest entry says the total"],
    ],
    [
      "points were spent, and are here still",
      sums(sql`redeemed = redeemed + 1`),
      ["balance is what came less what went"],
    ],
    [
      "less than nothing was spent",
      sums(sql`redeemed = redeemed - 10, subtracted = subtracted + 10`),
      ["no sum is below zero", "the newest entry says the total"],
    ],
    [
      "less than nothing is in a lot",
      lots(sql`points_left = -1`, sql`point_lots.expired_at is null`),
      ["no sum is below zero"],
    ],
    [
      "a lot holds more than the card",
      lots(sql`points_left = 1000`, sql`point_lots.expired_at is null`),
      ["lots hold no more than the balance"],
    ],
    [
      "points that are the card's pend again",
      pending(sql`status = 'PENDING'`, "ACTIVATED"),
      ["points are activated once, as many as pended"],
    ],
    [
      "more pended than were activated",
      pending(sql`points = points + 1`, "ACTIVATED"),
      ["points are activated once, as many as pended"],
    ],
    ["the newest entry has another balance", entry(sql`balance = balance + 1`), ["the newest entry says the balance"]],
    [
      "it tells of another balance",
      entry(sql`details = '{"balance": {"balance": 1}}'`),
      ["the newest entry says the balance"],
    ],
    ["the newest entry has another total", entry(sql`total = total - 1`), ["the newest entry says the total"]],
    [
      "it tells of another total",
      entry(sql`details = '{"balance": {"total": 1}}'`),
      ["the newest entry says the total"],
    ],
    ["an entry is of another amount", entry(sql`amount = amount + 1`), ["entries sum to the balance"]],
    [
      "points that were removed count as expired",
      sums(sql`subtracted = subtracted - 1, expired = expired + 1`),
      ["lots say what expired"],
    ],
  ];

  test("by the laws that they break, and sound ones by none", async () => {
    const db = await aLooseCopy();
    expect(await findBrokenBooks(db, project.id, [full.id])).toEqual([]);
    for (const table of tables) expect(full.books[table], table).not.toEqual([]);
    const found: [string, unknown][] = [];
    for (const [what, spoil] of spoils) {
      const undone = db.transaction(async (tx) => {
        expect(await tx.run(spoil()), what).toBe(1);
        found.push([what, (await findBrokenBooks(tx, project.id, [full.id]))[0]?.broken]);
        throw new Undone();
      });
      await expect(undone).rejects.toThrow(Undone);
    }
    expect(found).toEqual(spoils.map(([what, , broken]) => [what, broken]));
  });

  test.each<[string, () => Sql]>([
    ["a balance that is not the sum", sums(sql`redeemed = redeemed + 1`)],
    ["less than nothing spent", sums(sql`redeemed = redeemed - 10, subtracted = subtracted + 10`)],
    ["a lot below nothing", lots(sql`points_left = -1`, sql`point_lots.expired_at is null`)],
    ["no points that pend", pending(sql`points = 0`, "PENDING")],
  ])("and the tables themselves refuse %s", async (_what, spoil) => {
    await expect(context.db.run(spoil())).rejects.toMatchObject({ code: "23514" });
    expect(await findBrokenBooks(context.db, project.id, [full.id])).toEqual([]);
  });
});
