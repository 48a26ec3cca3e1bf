import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "../src/platform/db/migrate.js";
import { startEmbeddedPostgres } from "../src/platform/postgres/index.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The one PostgreSQL of the test run. */
    database_url: string;
  }
}

/** One PostgreSQL for the whole run; each test file makes a project of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data_dir = await mkdtemp(join(tmpdir(), "guerdon-test-"));
  const quiet = { info() {}, warn() {}, error: console.error };
  const postgres = await startEmbeddedPostgres({ data_dir, log: quiet });
  await migrate(postgres.url);
  project.provide("database_url", postgres.url);
  return async () => {
    await postgres.stop();
    await rm(data_dir, { recursive: true, force: true });
  };
}
