import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { migrate } from "../src/platform/db/migrate.js";
import { newId } from "../src/platform/ids.js";

const folder = fileURLToPath(new URL("../migrations/", import.meta.url));

/** A database as the version before a migration left it, and a way to bring it up to date. */
async function aDatabaseBefore(migration: string) {
  const admin = new pg.Client({ connectionString: inject("database_url") });
  await admin.connect();
  const name = `before_${migration}_${process.pid}`;
  await admin.query(`create database ${name}`);
  const url = new URL(inject("database_url"));
  url.pathname = name;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  await client.query(
    "create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null)",
  );
  for (const file of readdirSync(folder).sort()) {
    if (file >= migration) break;
    const text = readFileSync(folder + file, "utf8");
    await client.query(text);
    const checksum = createHash("sha256").update(text).digest("hex");
    await client.query("insert into schema_migrations values ($1, $2, '2026-03-01')", [file, checksum]);
  }
  return { client, migrate: () => migrate(url.href) };
}

test("what waited to be paid waits in the inbox, and sent events are counted, after 0017 and 0018", async () => {
  const { client, migrate } = await aDatabaseBefore("0017");
  await client.query(`
    insert into events (project_id, id, type, entity_id, customer_id, group_id, event_source, data, created_at)
    select 'proj', 'ev_' || number, 'customer.custom_event', customer, customer, 'req', '{}',
           json_build_object('type', name), '2026-03-01'::timestamptz + number * interval '1 day'
      from (values (1, 'ann', 'visit'), (2, 'ann', 'visit'), (3, 'ann', 'other'), (4, 'gone', 'visit'))
             as sent (number, customer, name);
    insert into earning_tasks (project_id, event_id, created_at)
    select events.project_id, events.id, events.created_at from events where events.id in ('ev_2', 'ev_3')`);
  // Only as much of a project as the tables ask for.
  await client.query("set session_replication_role = replica");
  await client.query(`
    insert into customers (project_id, id, metadata, system_metadata, created_at)
    values ('proj', 'ann', '{}', '{}', '2026-03-01')`);
  await migrate();
  const { rows: waiting } = await client.query(
    "select consumer, event_id, due_at = created_at as is_due, tries from inbox order by event_id",
  );
  const due = { consumer: "earning rules", is_due: true, tries: 0 };
  expect(waiting).toEqual([
    { ...due, event_id: "ev_2" },
    { ...due, event_id: "ev_3" },
  ]);
  const { rows: counts } = await client.query(
    "select name, count::int, last_at::date::text as last_day from custom_event_counts order by name",
  );
  expect(counts).toEqual([
    { name: "other", count: 1, last_day: "2026-03-04" },
    { name: "visit", count: 2, last_day: "2026-03-03" },
  ]);
});

test("what was in the bin before has an entry after 0120, but for what went there with its campaign or product", async () => {
  const { client, migrate } = await aDatabaseBefore("0120");
  await client.query("set session_replication_role = replica");
  await client.query(`
    insert into projects
    select 'proj', 'name', '', 'UTC', 'USD', null, '', '', '', true, false, '{}', false, false, false, false, false, false,
           '{}', '{}', null, null, '', '2026-03-01';
    insert into campaigns (project_id, id, name, campaign_type, type, auto_join, join_once, use_voucher_metadata_schema, active,
                           protected, metadata, creation_status, vouchers_generation_status, created_at, deleted_at)
    select 'proj', id, id, 'DISCOUNT_COUPONS', 'STATIC', false, false, false, true, false, '{}', 'DONE', 'DONE', '2026-03-01', deleted_at
      from (values ('binned', '2026-03-05'::timestamptz), ('live', null)) as made (id, deleted_at);
    insert into vouchers (project_id, id, code, code_key, campaign_id, type, metadata, created_at, deleted_at)
    select 'proj', 'v_' || code, code, code, campaign_id, 'DISCOUNT_VOUCHER', '{}', '2026-03-01', deleted_at::timestamptz
      from (values ('alone', null, '2026-03-04'), ('before', 'binned', '2026-03-04'), ('with', 'binned', '2026-03-06'),
                   ('of live', 'live', '2026-03-07'), ('stays', 'live', null)) as made (code, campaign_id, deleted_at);
    insert into products (project_id, id, source_id, attributes, metadata, created_at, deleted_at)
    values ('proj', 'prod', 'mug', '[]', '{}', '2026-03-01', '2026-03-05');
    insert into skus (project_id, id, product_id, sku, attributes, metadata, created_at, deleted_at)
    select 'proj', id, 'prod', id, '{}', '{}', '2026-03-01', deleted_at::timestamptz
      from (values ('red', '2026-03-03'), ('blue', '2026-03-05')) as made (id, deleted_at)`);
  await migrate();
  const { rows } = await client.query(
    "select id, resource_type, resource_name, resource_parent_id from bin_entries order by id",
  );
  const shown = rows.map((row) => [row.resource_name, row.resource_type, row.resource_parent_id]);
  expect(shown.sort()).toEqual([
    ["alone", "voucher", null],
    ["before", "voucher", "binned"],
    ["binned", "campaign", null],
    ["mug", "product", null],
    ["of live", "voucher", "live"],
    ["red", "sku", "prod"],
  ]);
  for (const { id } of rows) expect(id).toMatch(/^tbe_[0-9a-hjkmnp-tv-z]{27}$/);
  expect(rows[0].resource_name).toBe("red");
  expect(rows.at(-1).resource_name).toBe("of live");
  const made_now = newId("tbe");
  expect(rows.every(({ id }) => id < made_now)).toBe(true);
});
