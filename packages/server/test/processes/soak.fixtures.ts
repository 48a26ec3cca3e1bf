import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import type { Queries } from "../../src/platform/db/database.js";
import { sql } from "../../src/platform/db/sql.js";
import type { Client } from "../harness/client.js";
import type { RunningService } from "../harness/process.js";

/** How long a validation locks what it holds. */
export const lock_ms = 500;

/** For NODE_OPTIONS of a service: lets {@link memoryOf} ask it. */
export const tells_memory = `--require=${fileURLToPath(new URL("heap.fixtures.cjs", import.meta.url))}`;

/** Bytes: of the heap after a collection, and of the process. */
export interface Memory {
  heap: number;
  rss: number;
  external: number;
}

export async function memoryOf({ child, err }: RunningService): Promise<Memory> {
  const told = () => err().match(/^memory .*$/gm) ?? [];
  const before = told().length;
  // The process alone: its group has PostgreSQL in it where that is embedded.
  child.kill("SIGUSR2");
  await vi.waitUntil(() => told().length > before, { timeout: 60_000, interval: 20 });
  return JSON.parse(told().at(-1)?.slice("memory ".length) ?? "{}");
}

/** How many people, codes and cards there are: what is kept of them must not grow with what they do. */
const people = 100;
const codes = 20;

/** A shop with everything that the load asks for. */
export async function openShop(api: Client, management: Client, project_id: string): Promise<void> {
  const event = { name: "visited", schema: { properties: {} } };
  const schema = await management.post(`/management/v1/projects/${project_id}/custom-event-schemas`, event, 200);
  const conditions = { $more_than: [10] };
  const rules = { "1": { name: "order.amount", conditions }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: "Above 10", rules }, 200)).body.id;
  for (let i = 0; i < codes; i += 1) {
    const discount = { type: "PERCENT", percent_off: 10 };
    await api.post(`/v1/vouchers/CODE-${i}`, { discount, validation_rules: [rule] }, 200);
    await api.post(`/v1/vouchers/CARD-${i}`, { gift: { amount: 1_000_000_000 } }, 200);
    await api.post(`/v1/vouchers/HELD-${i}`, { discount, redemption: { quantity: 1_000_000 } }, 200);
  }
  for (let i = 0; i < people; i += 1) await api.post("/v1/customers", { source_id: `person-${i}` }, 200);
  const program = { name: "Points", voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 } } };
  const { id } = (await api.post("/v1/loyalties", program, 200)).body;
  const custom_event = { schema_id: schema.body.id };
  const earned = { event: event.name, custom_event, loyalty: { type: "FIXED", points: 1 } };
  await api.post(`/v1/loyalties/${id}/earning-rules`, [earned], 200);
  for (let i = 0; i < people; i += 1) {
    await api.post(`/v1/loyalties/${id}/members`, { customer: { source_id: `person-${i}` } }, 200);
  }
}

interface Soaking {
  asked(): number;
  /** Answers that are no success. */
  wrong: readonly string[];
  end(): Promise<void>;
}

/** What a shop asks day by day, by so many clients, each with a pause after every answer so that the machine keeps up. */
export function soak(api: Client, clients: number, pause_ms: number): Soaking {
  const wrong: string[] = [];
  let sent = 0;
  let is_ending = false;
  const lists = ["vouchers", "customers", "redemptions", "orders", "campaigns", "products"];
  const asks: ((n: number) => ReturnType<Client["get"]>)[] = [
    (n) =>
      api.post("/v1/redemptions", {
        redeemables: [{ object: "voucher", id: n % 2 ? `CODE-${n % codes}` : `CARD-${n % codes}` }],
        customer: { source_id: `person-${n % people}` },
        order: { source_id: `order-${n}`, amount: 5000 },
      }),
    (n) =>
      api.post("/v1/validations", {
        redeemables: [{ object: "voucher", id: `HELD-${n % codes}` }],
        customer: { source_id: `person-${n % people}` },
        order: { amount: 5000 },
        session: { type: "LOCK", key: `session-${n}`, ttl: lock_ms, ttl_unit: "MILLISECONDS" },
      }),
    (n) =>
      api.post("/v1/validations", {
        redeemables: [{ object: "voucher", id: `CODE-${n % codes}` }],
        order: { amount: 20 },
      }),
    (n) => api.put(`/v1/vouchers/CODE-${n % codes}`, { metadata: { edited: n } }),
    (n) => api.put(`/v1/customers/person-${n % people}`, { name: `Name ${n}`, metadata: { edited: n } }),
    (n) => api.get(`/v1/${lists[n % lists.length]}?limit=20&page=${1 + (n % 3)}`),
    (n) =>
      api.post("/v1/events", { event: "visited", customer: { source_id: `person-${n % people}` }, metadata: { n } }),
    async (n) => {
      const { body } = await api.get(`/v1/vouchers/CODE-${n % codes}`);
      return api.send("GET", `${new URL(body.assets.qr.url).pathname}?size=${1 + (n % 3)}`);
    },
    (n) => api.get(`/v1/vouchers/NOBODY-${n}`),
  ];
  const mayBe = (status: number, n: number) => status < 300 || (status === 404 && n % asks.length === asks.length - 1);

  async function client(): Promise<void> {
    while (!is_ending) {
      const n = sent;
      sent += 1;
      const { status, body } = (await asks[n % asks.length]?.(n)) ?? { status: 0, body: null };
      if (!mayBe(status, n)) wrong.push(`${n}: ${status} ${JSON.stringify(body)}`);
      await pause(pause_ms);
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    asked: () => sent,
    wrong,
    async end() {
      is_ending = true;
      await running;
    },
  };
}

/**
 * Makes every purge due, and waits until it is done and what events lead to as well. One that has more to do is due again at
 * once, so that none may be.
 */
export async function settled(db: Queries): Promise<void> {
  await db.run(sql`-- every project: the test's own database
    update schedules set due_at = timestamptz 'epoch'`);
  const left = () =>
    db.one<{ count: number }>(sql`-- every project: the test's own database
      select (select count(*) from outbox_parcels) + (select count(*) from inbox)
           + (select count(*) from schedules where schedules.due_at <= ${new Date().toISOString()}) as count`);
  await vi.waitUntil(async () => (await left()).count === 0, { timeout: 180_000, interval: 200 });
}

/** Rows by table; a partitioned one counts once. */
export async function rowsOf(db: Queries): Promise<Record<string, number>> {
  const tables = await db.many<{ name: string }>(sql`
    select pg_class.relname as name from pg_class
     where pg_class.relkind in ('r', 'p') and not pg_class.relispartition and pg_class.relnamespace = 'public'::regnamespace`);
  const counted: [string, number][] = [];
  // One by one: together they are a statement that takes longer than one may on a busy machine.
  for (const { name } of tables) {
    const text = `select count(*) as rows from ${name}`;
    const { rows } = await db.one<{ rows: number }>({ ...sql``, name: undefined, text, values: [] });
    counted.push([name, rows]);
  }
  return Object.fromEntries(counted);
}

/** Connections of others to the database that we look into. */
export const connectionsOf = (db: Queries) =>
  db.one<{ total: number; busy: number }>(sql`
    select count(*) as total, count(*) filter (where pg_stat_activity.state <> 'idle') as busy
      from pg_stat_activity
     where pg_stat_activity.datname = current_database() and pg_stat_activity.pid <> pg_backend_pid()
       and pg_stat_activity.backend_type = 'client backend'`);
