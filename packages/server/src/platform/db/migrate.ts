import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { package_folder } from "../package-folder.js";
import { shownUrl } from "./connections/shown-url.js";

const folder = join(package_folder, "migrations");
/** The advisory lock under which migrations run; any number that nothing else in the service uses. */
const migration_lock = 7_236_598_201;

/** Why the service cannot run on this database; one line, for a person. */
export class DatabaseRefused extends Error {}

/**
 * Brings the schema up to date: forward-only numbered files, each in its own transaction, under a lock so that
 * several nodes may start at once. Refuses a database that is too old, not UTF8, or whose applied files differ
 * from ours.
 */
export async function migrate(url: string): Promise<void> {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url, application_name: "guerdon migrate" });
    await client.connect();
  } catch (error) {
    throw new DatabaseRefused(
      `DATABASE_URL: ${shownUrl(url)} does not answer: ${(error as Error).message || String(error)}`,
    );
  }
  try {
    await assertUsable(client);
    await client.query("select pg_advisory_lock($1)", [migration_lock]);
    // A migration takes as long as it takes, whatever the role allows, or a connection that a pooler shares with the service.
    await client.query("set lock_timeout = '10s'; set statement_timeout = 0");
    await applyMissing(client);
  } finally {
    await client.end();
  }
}

async function assertUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = rows[0];
  if (version < 150_000)
    throw new DatabaseRefused(
      `DATABASE_URL: PostgreSQL 15 or later is needed, the server is ${Math.floor(version / 10_000)}`,
    );
  if (encoding !== "UTF8") {
    throw new DatabaseRefused(`DATABASE_URL: the database has the encoding ${encoding}; create one with encoding UTF8`);
  }
}

async function applyMissing(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null)`);
  const { rows } = await client.query("select name, checksum from schema_migrations");
  const applied = new Map<string, string>(rows.map((row) => [row.name, row.checksum]));
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
    const text = await readFile(join(folder, name), "utf8");
    const checksum = createHash("sha256").update(text).digest("hex");
    const known = applied.get(name);
    if (known === checksum) continue;
    if (known) throw new DatabaseRefused(`DATABASE_URL: migration ${name} was applied in another form than ours`);
    await client.query("begin");
    await client.query(text);
    await client.query(
      "insert into schema_migrations (name, checksum, applied_at) values ($1, $2, clock_timestamp())",
      [name, checksum],
    );
    await client.query("commit");
  }
}
