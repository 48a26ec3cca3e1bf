import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onTestFinished, vi } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/postgres/index.js";
import type { Client } from "../harness/client.js";
import { clientOf, type RunningService, scratch, startProcess } from "../harness/process.js";
import { layDatabase } from "../harness/templates.js";

/** A database of the test's own that outlives the services on it, and a way to start one more of them. */
export async function aCluster() {
  // Not a scratch folder: those go before the services on this database are ended, and take their PostgreSQL along.
  const folder = mkdtempSync(join(tmpdir(), "guerdon-cluster-"));
  chmodSync(folder, 0o711);
  const data_dir = join(folder, "data");
  await layDatabase(data_dir);
  const log = { info() {}, warn() {}, error: console.error };
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({ data_dir, log });
  onTestFinished(async () => {
    await db.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const credentials = { GUERDON_APP_ID: "app", GUERDON_APP_TOKEN: "token" };
  const env = {
    ...credentials,
    DATABASE_URL: postgres.url,
    GUERDON_DATA_DIR: scratch(),
    GUERDON_SECRET_KEY: "7".repeat(64),
    GUERDON_CONNECTIONS: "8",
  };
  const db = new pg.Pool({ connectionString: postgres.url, max: 4 });
  db.on("error", () => {});
  return {
    db,
    folder,
    url: postgres.url,
    credentials,
    /** @param main the file that is started, where it is not what an operator starts */
    async service(more: Record<string, string> = {}, main?: string): Promise<RunningService & { api: Client }> {
      const running = await startProcess({ env: { ...env, ...more }, main });
      return { ...running, api: clientOf(running.url, credentials) };
    },
    /** What the database holds of a campaign: its vouchers, different codes, and what its counter says. */
    async vouchersOf(campaign_id: string) {
      const { rows } = await db.query(
        `select count(*)::int as vouchers, count(distinct code_key)::int as codes,
                (select sum(vouchers_count)::int from campaign_voucher_counts where campaign_id = $1) as counted
           from vouchers where campaign_id = $1`,
        [campaign_id],
      );
      return rows[0] as { vouchers: number; codes: number; counted: number };
    },
    async action(id: string) {
      const { rows } = await db.query("select * from async_actions where id = $1", [id]);
      return rows[0] as { status: string; done_count: string; result: unknown };
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof aCluster>>;

/** A campaign that is to get so many vouchers. */
export async function aGeneration(api: Client, name: string, vouchers_count: number) {
  const voucher = { discount: { type: "AMOUNT", amount_off: 100 } };
  const { body } = await api.post("/v1/campaigns", { name, voucher, vouchers_count }, 200);
  return { campaign_id: body.id as string, id: body.async_action_id as string };
}

/** As long as it takes on a machine that has other work. */
export async function untilDone(cluster: Cluster, id: string): Promise<void> {
  const is = async () => (await cluster.action(id)).status === "DONE";
  await vi.waitUntil(is, { timeout: 120_000, interval: 20 });
}

/**
 * Stops an action in the middle of a slice: some are done, and the next statement that writes what it writes waits.
 * Answers how to let it go on.
 */
export async function heldInTheMiddle(
  cluster: Cluster,
  id: string,
  table: "vouchers" | "customers" = "vouchers",
): Promise<() => Promise<void>> {
  const held = async () => Number((await cluster.action(id)).done_count) > 0;
  await vi.waitUntil(held, { timeout: 10_000, interval: 2 });
  const holder = await cluster.db.connect();
  await holder.query(`begin; lock table ${table} in share mode`);
  const waiting = `select 1 from pg_locks where relation = '${table}'::regclass and not granted`;
  await vi.waitUntil(async () => (await cluster.db.query(waiting)).rowCount === 1, { timeout: 5_000, interval: 5 });
  return async () => {
    await holder.query("rollback");
    holder.release();
  };
}
