import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { role } from "./cluster.js";
import { type Folder, serverNote } from "./folder.js";
import type { Site } from "./postmaster.js";

/** What the folder's server said when asked. */
export type Answer =
  | { kind: "serves"; client: pg.Client; port: number }
  /** It starts, recovers or stops: ask again. */
  | { kind: "busy" }
  /** Nobody answers at the noted port, or not as this folder's server should. */
  | { kind: "silent"; reason: string };

/** Asks the server that noted itself in the folder. */
export async function askServer(site: Site): Promise<Answer> {
  const { port } = await serverNote(site.folder);
  if (!port) return { kind: "silent", reason: "it has noted no port" };
  const client = ownerClient(site, port);
  try {
    await client.connect();
    if (await servesFolder(client, site.folder)) return { kind: "serves", client, port };
    await hangUp(client);
    return { kind: "silent", reason: `port ${port} belongs to the database of another folder` };
  } catch (error) {
    await hangUp(client);
    const { code, message } = error as Error & { code?: string };
    // cannot_connect_now, admin_shutdown, crash_shutdown
    if (code === "57P03" || code === "57P01" || code === "57P02") return { kind: "busy" };
    return { kind: "silent", reason: message };
  }
}

function ownerClient({ password }: Site, port: number): pg.Client {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: role,
    password,
    // The one database that is always there, even while ours is being made. Its locks are its own, too:
    // nothing that Guerdon locks in its database can meet the owner's.
    database: "postgres",
    application_name: "guerdon owner",
    ssl: false,
    connectionTimeoutMillis: 2_000,
  });
  // A lost connection shows as "end"; without a listener the error would stop the process.
  client.on("error", () => undefined);
  // After a kill or a reboot anybody on this machine may listen at the port that was ours. The handshake of
  // SCRAM gives nothing away, but the library would send the bare password to whoever asks for it.
  client.connection.prependListener("authenticationCleartextPassword", () => client.connection.stream.destroy());
  return client;
}

/**
 * Whether this server works on this folder: a file made here just now must be there for it. The password
 * proves less, since a copy of the folder (a backup, tried out) knows it and names the same port.
 */
async function servesFolder(client: pg.Client, { cluster }: Folder): Promise<boolean> {
  const name = `guerdon-${randomUUID()}`;
  // "wx" follows no link: root writes here, in a folder of another user.
  await (await open(join(cluster, name), "wx")).close();
  try {
    const { rows } = await client.query("select (pg_stat_file($1, true)).size is not null as seen", [name]);
    return rows[0]?.seen === true;
  } finally {
    await rm(join(cluster, name), { force: true });
  }
}

/** "guerdon" in ASCII. */
const take_ownership = "select pg_try_advisory_lock(x'0067756572646f6e'::bigint) as taken";

/**
 * Becomes the owner as soon as nobody else is. A killed owner keeps the lock until its backend has noticed
 * the closed connection (milliseconds); one that still has it after `patience_ms` is alive.
 */
export async function takeOwnership(client: pg.Client, patience_ms: number): Promise<"owner" | "owned" | "gone"> {
  const deadline = Date.now() + patience_ms;
  for (;;) {
    try {
      const { rows } = await client.query(take_ownership);
      if (rows[0]?.taken === true) return "owner";
    } catch {
      // The live owner stopped the server just now.
      await hangUp(client);
      return "gone";
    }
    if (Date.now() >= deadline) {
      await hangUp(client);
      return "owned";
    }
    await pause(100);
  }
}

/** Makes Guerdon's database, which a killed first start may have left out. Only for the owner. */
export async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where pg_database.datname = $1", [role]);
  if (rowCount === 0) await client.query(`create database ${role} owner ${role}`);
}

export async function hangUp(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
