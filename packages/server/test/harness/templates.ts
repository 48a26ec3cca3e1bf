import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject, vi } from "vitest";
import { migrate } from "../../src/platform/db/migrate.js";
import { startEmbeddedPostgres } from "../../src/platform/postgres/index.js";
import { printedCredentials, scratch, startProcess, stopProcess } from "./process.js";

const made_ms_max = 60_000;
const quiet = { info() {}, warn() {}, error: console.error };

/** A folder that the first of all files of a run makes, and the others wait for. */
async function madeOnce(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const [folder, draft] = [name, `${name}.draft`].map((one) => join(inject("templates_folder"), one)) as [
    string,
    string,
  ];
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(draft, { mode: 0o711 });
  } catch {
    await vi.waitUntil(() => existsSync(folder), { timeout: made_ms_max, interval: 20 });
    return folder;
  }
  try {
    await make(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** As an operator would: with owners and times. */
const copy = (from: string, to: string) => promisify(execFile)("cp", ["-a", from, to]);

/** Fills a new folder with a database that has our tables and nothing in them, and that nobody serves: to make one takes two seconds. */
export async function layDatabase(data_dir: string): Promise<void> {
  const template = await madeOnce("empty", async (draft) => {
    const postgres = await startEmbeddedPostgres({ data_dir: join(draft, "data"), log: quiet });
    await migrate(postgres.url);
    await postgres.stop();
  });
  await copy(join(template, "data"), data_dir);
}

/** Fills a new folder with the data of a service that was started and stopped once; answers the credentials that it printed. */
async function layUsedData(data_dir: string): Promise<Record<string, string>> {
  const template = await madeOnce("used", async (draft) => {
    await layDatabase(join(draft, "data"));
    const service = await startProcess({ env: { GUERDON_DATA_DIR: join(draft, "data") } });
    writeFileSync(join(draft, "credentials.json"), JSON.stringify(printedCredentials(service.out()) ?? {}));
    await stopProcess(service);
  });
  await copy(join(template, "data"), data_dir);
  return JSON.parse(await readFile(join(template, "credentials.json"), "utf8"));
}

/** A data folder of a service that was started and stopped once, with the credentials that it printed. It goes with the test. */
export async function aUsedDataDir(): Promise<{ data_dir: string; credentials: Record<string, string> }> {
  const data_dir = join(scratch(), "data");
  return { data_dir, credentials: await layUsedData(data_dir) };
}
