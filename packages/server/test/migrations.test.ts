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

test("campaigns are counted from what happened before 0122, without what still waits to be told", async () => {
  const { client, migrate } = await aDatabaseBefore("0122");
  await client.query("set session_replication_role = replica");
  await client.query(`
    insert into projects (id, name, description, timezone, currency, webhook_version, api_version, cluster_id, case_sensitive_codes,
                          is_sandbox, client_trusted_domains, client_redeem_enabled, client_publish_enabled,
                          client_list_vouchers_enabled, client_create_customer_enabled, client_loyalty_events_enabled,
                          client_set_voucher_expiration_date_enabled, webhooks_callout_notifications, api_usage_notifications,
                          webhook_token_sealed, created_at)
    select id, '', '', zone, 'USD', '', '', '', true, false, '{}', false, false, false, false, false, false, '{}', '{}', '',
           '2026-03-01'
      from (values ('proj', 'Europe/Warsaw'), ('odd', 'No/Where')) as made (id, zone);
    insert into campaigns (project_id, id, name, campaign_type, type, auto_join, join_once, use_voucher_metadata_schema, active,
                           protected, metadata, creation_status, vouchers_generation_status, created_at)
    select id, 'camp', 'camp', 'GIFT_VOUCHERS', 'STATIC', false, false, false, true, false, '{}', 'DONE', 'DONE', '2026-03-01'
      from projects;
    insert into vouchers (project_id, id, code, code_key, campaign_id, type, gift, metadata, created_at)
    select 'proj', 'v_' || i, 'v_' || i, 'v_' || i, 'camp', 'GIFT_VOUCHER', '{"amount":300}', '{}', '2026-03-02T23:30:00Z'
      from generate_series(1, 2) as i;
    insert into vouchers (project_id, id, code, code_key, campaign_id, type, metadata, created_at)
    values ('odd', 'v', 'v', 'v', 'camp', 'DISCOUNT_VOUCHER', '{}', '2026-03-02T23:30:00Z');
    insert into redemptions (project_id, id, object, result, status, voucher_id, campaign_id, amount, order_amount, discount_amount,
                             currency, day, channel, created_at)
    select 'proj', id, object, result, case result when 'SUCCESS' then 'SUCCEEDED' else 'FAILED' end, 'v_1', campaign_id, amount, 1000, 90, 'USD', '2026-03-03', '{}', '2026-03-03'
      from (values ('r_1', 'redemption', 'SUCCESS', 'camp', 90), ('r_2', 'redemption', 'FAILURE', 'camp', null),
                   ('r_3', 'redemption', 'SUCCESS', 'camp', 90), ('r_4', 'redemption', 'SUCCESS', null, 90),
                   ('rr_1', 'redemption_rollback', 'SUCCESS', 'camp', -90)) as made (id, object, result, campaign_id, amount);
    insert into ledger_entries (project_id, id, voucher_id, campaign_id, type, amount, balance, total, currency, created_at)
    select 'proj', type, 'v_1', 'camp', type, amount, 0, 0, 'USD', '2026-03-03'
      from (values ('CREDITS_ADDITION', 50), ('CREDITS_REMOVAL', -20), ('CREDITS_REDEMPTION', -90)) as made (type, amount);
    insert into events (project_id, id, type, entity_id, group_id, event_source, data, created_at)
    values ('proj', 'ev', 'redemption.succeeded', 'r_3', 'req', '{}', '{}', '2026-03-03');
    insert into outbox (project_id, event_id, type, created_at) values ('proj', 'ev', 'redemption.succeeded', '2026-03-03')`);
  await migrate();
  const { rows } = await client.query("select *, day::text as day from campaign_days order by project_id desc");
  const counted = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "0")));
  const at = { project_id: "proj", campaign_id: "camp", day: "2026-03-03", slot: "1" };
  expect(counted).toEqual([
    {
      ...at,
      ...{ redemptions_succeeded: "1", redemptions_failed: "1", rollbacks_succeeded: "1", vouchers_created: "2" },
      ...{ orders_amount: "1000", orders_rolledback_amount: "1000", discounted_amount: "90" },
      ...{
        rolledback_discounted_amount: "90",
        opened: "600",
        redeemed: "90",
        returned: "90",
        added: "50",
        subtracted: "20",
      },
    },
    { ...at, project_id: "odd", day: "2026-03-02", vouchers_created: "1" },
  ]);
});
