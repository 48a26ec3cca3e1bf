import pg from "pg";
import { onTestFinished, vi } from "vitest";
import type { Client } from "../harness/client.js";
import type { Cluster } from "./async.fixtures.js";

const day_ms = 86_400_000;
const worker = { GUERDON_ROLE: "worker" };
/** Laid before PostgreSQL's own function of that name, which services ask what time it is. */
const clock = "clock_timestamp";

/** One database of a cluster, whose services live at an instant that a test chooses: they follow the clock of their database. */
export interface Town {
  db: pg.Pool;
  /** Those that start from now on live so much later. */
  advance(ms: number): Promise<void>;
  setClock(text: string): Promise<void>;
  worker(): ReturnType<Cluster["service"]>;
  service(role: string): ReturnType<Cluster["service"]>;
}

/** @param made what the cluster has made of this database: its clock is laid before PostgreSQL's own, which services ask by name */
export async function aTown(cluster: Cluster, name: string | null): Promise<Town> {
  const url = new URL(cluster.url);
  if (name !== null) url.pathname = `/${name}`;
  const db = new pg.Pool({ connectionString: url.href, max: 4 });
  db.on("error", () => {});
  onTestFinished(() => db.end());
  await db.query(`
    create schema if not exists elsewhen;
    create table if not exists elsewhen.later (by interval not null);
    insert into elsewhen.later select '0 s' where not exists (select from elsewhen.later);
    create or replace function public.${clock}() returns timestamptz language sql volatile as
      'select pg_catalog.${clock}() + later.by from elsewhen.later';
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`);
  return {
    db,
    advance: async (ms) => void (await db.query("update elsewhen.later set by = by + $1::interval", [`${ms} ms`])),
    setClock: async (text) =>
      void (await db.query(`update elsewhen.later set by = $1::timestamptz - pg_catalog.${clock}()`, [text])),
    worker: () => cluster.service({ ...worker, DATABASE_URL: url.href }),
    service: (role) => cluster.service({ GUERDON_ROLE: role, DATABASE_URL: url.href }),
  };
}

/** A database with all that is in another, to whose services nobody may be connected. */
export async function copyOf(cluster: Cluster, name: string): Promise<Town> {
  const { pathname } = new URL(cluster.url);
  const aside = new URL(cluster.url);
  aside.pathname = "/postgres";
  const db = new pg.Client({ connectionString: aside.href });
  await db.connect();
  await db.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [pathname.slice(1)]);
  await db.query(`create database ${name} template ${pathname.slice(1)}`);
  await db.end();
  return aTown(cluster, name);
}

/** Nothing waits, and no night before the town's own tomorrow is left to do. */
export const untilQuiet = ({ db }: Town, ms_max: number) =>
  vi.waitUntil(
    async () => {
      const { rows } = await db.query(
        `select (select count(*) from inbox) + (select count(*) from outbox_parcels)
              + (select count(*) from walks where due_at <= public.${clock}()) = 0 as quiet`,
      );
      return rows[0].quiet as boolean;
    },
    { timeout: ms_max, interval: 100 },
  );

const iso = (days: number, from: string) => new Date(Date.parse(from) + days * day_ms).toISOString();

/**
 * Three programs, and in each as many members: one whose points pend, and expire day by day, and two whose tiers end, those that
 * follow the balance every other day, those of a month with it.
 */
export async function foundPrograms(api: Client, members_count: number, today: string): Promise<void> {
  const aProgram = async (name: string, expiration_rules: object | null, loyalty_tiers_expiration: object | null) => {
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 5, expiration_rules } };
    const { body } = await api.post("/v1/loyalties", { name, voucher, loyalty_tiers_expiration }, 200);
    return `/v1/loyalties/${body.id}`;
  };
  const points = await aProgram("Points", { period_type: "MONTH", period_value: 1 }, null);
  const source = { banner: "Paid" };
  const rule = (period_value: number) => ({
    ...{ event: "order.paid", loyalty: { type: "FIXED", points: 3 + period_value }, source },
    pending_points: { period_type: "DAY", period_value },
  });
  await api.post(`${points}/earning-rules`, [rule(1), rule(4)], 200);
  const [immediate, balance] = [{ start_date: { type: "IMMEDIATE" } }, { qualification_type: "BALANCE" }];
  const by_balance = { ...balance, ...immediate, expiration_date: { type: "CUSTOM", extend: "P1D" } };
  const by_month = {
    ...{ qualification_type: "POINTS_IN_PERIOD", qualification_period: "MONTH", ...immediate },
    expiration_date: { type: "END_OF_PERIOD" },
  };
  const tiered = [await aProgram("Balance", null, by_balance), await aProgram("Month", null, by_month)];
  const tiers = [
    { name: "Bronze", points: { from: 1, to: 49 } },
    { name: "Silver", points: { from: 50, to: 99 } },
    { name: "Gold", points: { from: 100 } },
  ];
  for (const program of tiered) await api.post(`${program}/tiers`, tiers, 200);

  for (let i = 0; i < members_count; i += 1) {
    const customer = { source_id: `c${i}` };
    const cardOf = async (program: string) =>
      (await api.post(`${program}/members`, { customer }, 200)).body.code as string;
    const add = (code: string, sent: object) => api.post(`/v1/loyalties/members/${code}/balance`, sent, 200);
    const code = await cardOf(points);
    for (const days of [1, 2 + (i % 5)]) {
      const expiration_date = iso(days, today).slice(0, 10);
      await add(code, { points: 10 + days, expiration_type: "CUSTOM_DATE", expiration_date });
    }
    await api.post("/v1/orders", { customer, amount: 1_000, status: "PAID" }, 200);
    for (const program of tiered) {
      const tiered_code = await cardOf(program);
      await add(tiered_code, { points: 60 + 20 * (i % 4) });
      // A tier with a last day outlives the points that it was reached with.
      if (i % 3 === 0) await add(tiered_code, { points: -60 });
    }
  }
}

/** What nights have written so far. */
export const writtenIn = async ({ db }: Town): Promise<number> =>
  (
    await db.query(
      `select (select count(*)::int from ledger_entries)
            + (select count(*)::int from events where type like 'customer.loyalty.tier.%') as written`,
    )
  ).rows[0].written;

/** Ids that are made anew each time something is done. */
const made_anew = /\b(vtx|event|evcus|req|lopb|auto)_\w+/g;

/** All that nights leave, as they are to leave it whatever died: with dates, in an order that does not depend on ids. */
export async function booksOf({ db }: Town): Promise<Record<string, string[]>> {
  const asked = {
    balances: "select card_balances.* from card_balances",
    entries: `select voucher_id, campaign_id, type, amount, balance, total, order_id, source, reason, details, lots, created_at
                from ledger_entries`,
    lots: "select voucher_id, expires_on, points_left, points_expired, expired_at from point_lots",
    pending: "select id, voucher_id, points, status, updated_at from pending_points",
    collected: "select voucher_id, month, points from points_collected",
    tiers: "select voucher_id, tier_id, start_date, expiration_date, next_tier_id from loyalty_tier_members",
    events: "select type, entity_id, customer_id, event_source, data, created_at from events",
  };
  const read = async (text: string) => {
    const { rows } = await db.query(`select to_jsonb(found)::text as row from (${text}) as found`);
    return rows.map(({ row }) => (row as string).replace(made_anew, "$1")).sort();
  };
  return Object.fromEntries(
    await Promise.all(Object.entries(asked).map(async ([name, text]) => [name, await read(text)] as const)),
  );
}

/**
 * Slows the first statement that a slice writes with, so that whoever is killed has begun one. What a slice writes last is sent
 * together with its commit: a database that has got it is done with it, whoever dies.
 */
export const slowDown = ({ db }: Town) =>
  db.query(`
    create function elsewhen.rest() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return null; end $$;
    create trigger slow before update on point_lots for each statement execute function elsewhen.rest();
    create trigger slow before update on loyalty_tier_members for each statement execute function elsewhen.rest();
    update walks set size = 1`);
