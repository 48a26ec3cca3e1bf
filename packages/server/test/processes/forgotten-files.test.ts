import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { buildIfStale, cleanUpProcesses } from "../harness/process.js";
import { aCluster, type Cluster } from "./async.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const marker = `MARKER${process.pid}`;

/** What a file says; nothing when PostgreSQL took it away since the folder was listed, as it does with its caches at any time. */
const contentOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
};

/** Files of the data folder in which the text stands; PostgreSQL's own log of changes apart, which it writes over in time. */
const filesWith = ({ folder }: Cluster, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.includes("pg_wal"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => contentOf(file).includes(text));

test("a person who is deleted for good is in no file of the data folder once PostgreSQL has cleaned up, and never was in its log", async () => {
  const cluster = await aCluster();
  const { api } = await cluster.service();
  const customer = { source_id: `${marker}-source`, name: `${marker}-name`, metadata: { note: `${marker}-note` } };
  const { id } = (await api.post("/v1/customers", customer, 200)).body;
  const discount = { type: "AMOUNT", amount_off: 100 };
  await api.post("/v1/vouchers/CODE", { discount }, 200);
  const order = { source_id: `${marker}-order`, amount: 1_000 };
  const redeemables = [{ object: "voucher", id: "CODE" }];
  await api.post("/v1/redemptions", { redeemables, customer, order }, 200);
  const file = (await api.post("/v1/exports", { exported_object: "customer" }, 200)).body.id;
  const exported = async () => (await api.get(`/v1/exports/${file}`, 200)).body.status;
  await vi.waitUntil(async () => (await exported()) === "DONE", { timeout: 30_000, interval: 100 });
  // An error of the kind whose details name the row.
  await api.post("/v1/customers", { source_id: "other" }, 200);
  const rename = "update customers set source_id = $1 where customers.source_id = 'other'";
  const twice = cluster.db.query(rename, [customer.source_id]);
  await expect(twice).rejects.toThrow("duplicate key");
  expect(filesWith(cluster, "duplicate key value")).toEqual([expect.stringContaining("server.log")]);
  await cluster.db.query("checkpoint");
  const before = filesWith(cluster, marker);
  expect(before.length).toBeGreaterThan(3);
  expect(before.filter((one) => !one.includes("/base/"))).toEqual([]);

  await api.post(`/v1/customers/${id}/permanent-deletion`, undefined, 200);
  // Until their logs have been looked at once more, minutes later, their names are kept for that.
  await cluster.db.query("update walks set due_at = $1", [new Date()]);
  const walks = async () => (await cluster.db.query("select from walks")).rowCount;
  await vi.waitUntil(async () => (await walks()) === 0, { timeout: 60_000, interval: 100 });
  // Expired files go within the hour: what the purge of that hour does is tried elsewhere.
  await cluster.db.query("delete from exports where expires_at <= $1", [new Date()]);
  await cluster.db.query("vacuum full");
  await cluster.db.query("checkpoint");
  expect(filesWith(cluster, marker)).toEqual([]);
}, 300_000);
