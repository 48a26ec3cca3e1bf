import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { aDatabase } from "../../../../test/harness/database.js";
import { createLog } from "../../log.js";
import { type Database, openDatabase } from "../database.js";
import { type Sql, sql, verbatim } from "../sql.js";

/** One connection, which plans anew when it is so old, and a table that nobody analyzes. */
async function connected(plan_ages_ms: readonly number[]): Promise<Database> {
  const options = { connections_max: 1, prepared: true, plan_ages_ms };
  const db = openDatabase({ url: await aDatabase(), log: createLog("silent"), ...options });
  onTestFinished(() => db.close());
  // Wide, as it looks: PostgreSQL takes a new table for ten pages.
  await db.run(sql`create table filling (project_id text, id text, name text, nothing char(500))`);
  await db.run(sql`create unique index filling_by_id on filling (project_id, id)`);
  await db.run(sql`create unique index filling_by_name on filling (project_id, name)`);
  await db.run(sql`alter table filling set (autovacuum_enabled = false)`);
  return db;
}

const fill = (db: Database, from: number, to: number) =>
  db.run(sql`
    insert into filling (project_id, id, name)
    select 'p', number::text, number::text from generate_series(${from}::int, ${to}::int) as number`);

const by_id = sql`select filling.id from filling where filling.project_id = ${"p"} and filling.id = ${"1"}`;
const by_name = sql`select filling.id from filling where filling.project_id = ${"p"} and filling.name = ${"1"}`;

/** By which index a statement finds its row. */
async function indexUsedBy(db: Database, statement: Sql): Promise<string | undefined> {
  expect(await db.many(statement)).toHaveLength(1);
  const plan = await db.many<{ "QUERY PLAN": string }>(
    sql`explain execute ${verbatim(statement.name ?? "")} ('p', '1')`,
  );
  return /filling_\w+/.exec(plan.map((line) => line["QUERY PLAN"]).join(" "))?.[0];
}

/** By which indexes an id and a name are found, first in a table of one row, and again once it has many. */
async function indexesUsed(db: Database, ms: number) {
  await fill(db, 1, 1);
  const nearly_empty = [await indexUsedBy(db, by_id), await indexUsedBy(db, by_name)];
  await fill(db, 2, 20_000);
  await pause(ms);
  return { nearly_empty, filled: [await indexUsedBy(db, by_id), await indexUsedBy(db, by_name)] };
}

test("at some ages it plans anew, beside tables as they are by then, whether anybody has analyzed them or not", async () => {
  const ages_ms = Array.from({ length: 100 }, (_, i) => i * 300);
  const { nearly_empty, filled } = await indexesUsed(await connected(ages_ms), 350);
  expect(new Set(nearly_empty).size).toBe(1);
  expect(filled).toEqual(["filling_by_id", "filling_by_name"]);
});
