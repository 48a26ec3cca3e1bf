import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../src/platform/db/migrate.js";
import { startEmbeddedPostgres } from "../src/platform/postgres/index.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The one PostgreSQL of the test run. */
    database_url: string;
  }
}

/** A database with our tables and nothing in them, which others are copied from: to migrate one takes twenty times as long. */
export const empty_database = "guerdon_empty";

/** One PostgreSQL for the whole run; each test file makes a project of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data_dir = await mkdtemp(join(tmpdir(), "guerdon-test-"));
  const quiet = { info() {}, warn() {}, error: console.error };
  const postgres = await startEmbeddedPostgres({ data_dir, log: quiet });
  await migrate(postgres.url);
  await prepareForTests(postgres.url);
  project.provide("database_url", postgres.url);
  return async () => {
    await postgres.stop();
    await rm(data_dir, { recursive: true, force: true });
  };
}

async function prepareForTests(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // What is on the disk of this server nobody will ever need: it ends with the run. Tests of crashes start servers of their own.
  await client.query("alter system set fsync = off");
  await client.query("select pg_reload_conf()");
  await client.end();
  const apart = new URL(url);
  apart.pathname = "postgres";
  const copying = new pg.Client({ connectionString: apart.href });
  await copying.connect();
  await copying.query(`create database ${empty_database} template ${new URL(url).pathname.slice(1)}`);
  await copying.end();
}
