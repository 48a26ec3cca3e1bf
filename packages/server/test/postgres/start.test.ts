import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { makeLibraryLinks } from "../../src/platform/postgres/binaries.js";
import { StartRefused } from "../../src/platform/postgres/index.js";
import { run } from "../../src/platform/postgres/run.js";
import {
  aDatabase,
  aDataDir,
  cleanUpAfterEach,
  clusterOf,
  homeOf,
  installed_package,
  is_root,
  kill,
  query,
  scratch,
  start,
  startInChild,
  urlOf,
} from "./postgres.fixtures.js";

cleanUpAfterEach();

const setting = async (url: string, name: string) =>
  (await query<{ value: string }>(url, `select current_setting('${name}') as value`))[0]?.value;

describe("an empty data folder", () => {
  test("becomes a database with the settings that the service relies on", async () => {
    const data_dir = aDataDir();
    const server = await start(data_dir);

    expect(server.url).toMatch(/^postgresql:\/\/guerdon:[\w-]{32}@127\.0\.0\.1:\d+\/guerdon\?sslmode=disable$/);
    const expected = {
      server_encoding: "UTF8",
      fsync: "on",
      full_page_writes: "on",
      synchronous_commit: "on",
      max_wal_size: "4GB",
      max_locks_per_transaction: "256",
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      TimeZone: "UTC",
      jit: "off",
      autovacuum_naptime: "15s",
      default_statistics_target: "30",
      password_encryption: "scram-sha-256",
    };
    for (const [name, value] of Object.entries(expected))
      expect([name, await setting(server.url, name)]).toEqual([name, value]);
    expect(await setting(server.url, "shared_buffers")).toMatch(/^(1GB|\d+MB)$/);
    expect(
      await query(
        server.url,
        "select datlocprovider, datlocale, current_user as role from pg_database where datname = 'guerdon'",
      ),
    ).toEqual([{ datlocprovider: "b", datlocale: "C.UTF-8", role: "guerdon" }]);
    await server.stop();
  });

  test("keeps the password to its owner, the log, and the port, which the next start takes again", async () => {
    const data_dir = aDataDir();
    const server = await start(data_dir);
    const { port } = new URL(server.url);
    await server.stop();

    expect(statSync(join(homeOf(data_dir), "password")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(homeOf(data_dir), "port"), "utf8").trim()).toBe(port);
    expect(readFileSync(join(homeOf(data_dir), "server.log"), "utf8")).toContain("ready to accept connections");
    const again = await start(data_dir);
    expect(again.url).toBe(server.url);
    await again.stop();
  });

  test("is made anew when its making was interrupted", async () => {
    const data_dir = aDataDir();
    const first = startInChild(data_dir);
    first.outcome.catch(() => {});
    const initdbAtWork = () =>
      draftsIn(data_dir).some((draft) => existsSync(join(data_dir, draft, "cluster/PG_VERSION")));
    await vi.waitUntil(initdbAtWork, { timeout: 10_000, interval: 5 });
    await kill(first.process, "SIGKILL");
    expect(readdirSync(data_dir)).not.toContain("postgres");

    const server = await start(data_dir);
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(draftsIn(data_dir)).toEqual([]);
    await server.stop();
  });
});

const draftsIn = (data_dir: string) =>
  existsSync(data_dir) ? readdirSync(data_dir).filter((name) => name.startsWith("postgres.new-")) : [];

describe("a start", () => {
  test("gives UTF8 in an environment with nothing but PATH", async () => {
    const url = await urlOf(startInChild(aDataDir()));
    expect(await setting(url, "server_encoding")).toBe("UTF8");
    expect(await query(url, "select upper('straße für 5 €, 礼物') as text")).toEqual([
      { text: "STRAßE FÜR 5 €, 礼物" },
    ]);
  });

  test("works in a data folder whose path has 200 characters", async () => {
    const parent = scratch();
    const data_dir = join(parent, "d".repeat(100), "e".repeat(200 - parent.length - 102));
    expect(data_dir).toHaveLength(200);
    const server = await start(data_dir);
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test("works after npm ci --ignore-scripts, which leaves out the links between libraries", async () => {
    const native = join(scratch(), "native");
    cpSync(join(installed_package, "native"), native, {
      recursive: true,
      filter: (path) => !lstatSync(path).isSymbolicLink(),
    });
    const version = () => run(join(native, "bin/postgres"), ["--version"], { cwd: "/", user: undefined });
    expect((await version()).exit_code).not.toBe(0);

    await makeLibraryLinks(native);
    expect((await version()).output).toContain("(PostgreSQL) 18");
  });

  test("takes another port when the recorded one is taken", async () => {
    const data_dir = await aDatabase();
    const server = await start(data_dir);
    await server.stop();
    const { port } = new URL(server.url);
    const taker = createServer((socket) => socket.destroy()).listen(Number(port), "127.0.0.1");

    const again = await start(data_dir);
    expect(new URL(again.url).port).not.toBe(port);
    expect(readFileSync(join(homeOf(data_dir), "port"), "utf8").trim()).toBe(new URL(again.url).port);
    await again.stop();
    taker.close();
  });

  test("gives its password to no stranger who listens at the port", async () => {
    const data_dir = await aDatabase();
    const server = await start(data_dir);
    await server.stop();
    const { port, password } = new URL(server.url);
    let heard = "";
    const stranger = createServer((socket) => {
      socket.on("error", () => {});
      // AuthenticationCleartextPassword: "tell me your password".
      socket.once("data", () => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])));
      socket.on("data", (piece) => (heard += piece.toString("latin1")));
    }).listen(Number(port), "127.0.0.1");
    // What a server notes about itself, left behind when the machine was switched off.
    writeFileSync(
      join(clusterOf(data_dir), "postmaster.pid"),
      `999999\n${clusterOf(data_dir)}\n1700000000\n${port}\n\n127.0.0.1\n`,
    );

    const again = await start(data_dir);
    expect(heard).toContain("guerdon owner");
    expect(heard).not.toContain(password);
    await again.stop();
    stranger.close();
  });
});

describe("a start is refused in one line that names the folder and what helps", () => {
  test("when the database was made by another major version of PostgreSQL", async () => {
    const data_dir = aDataDir();
    mkdirSync(clusterOf(data_dir), { recursive: true });
    if (is_root) chownSync(clusterOf(data_dir), 65_534, 65_534);
    writeFileSync(join(clusterOf(data_dir), "PG_VERSION"), "17\n");

    const refusal = await start(data_dir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as Error).message).toMatch(
      new RegExp(`^The database in ${homeOf(data_dir)} was made by PostgreSQL 17.*brings PostgreSQL 18.*pg_dump.*$`),
    );
  });

  test("when the data folder is a file", async () => {
    const data_dir = aDataDir();
    writeFileSync(data_dir, "");
    const refusal = await start(data_dir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as Error).message).toContain(data_dir);
    expect((refusal as Error).message).toContain("GUERDON_DATA_DIR");
  });

  test("when PostgreSQL cannot read its own configuration", async () => {
    const data_dir = await aDatabase();
    writeFileSync(join(clusterOf(data_dir), "postgresql.conf"), "no_such_setting = 1\n");
    const refusal = await start(data_dir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as Error).message).toMatch(/did not start \(.*\); see .*server\.log\.$/);
  });
});

test("a connection that is open does not keep the server from stopping", async () => {
  const data_dir = await aDatabase();
  const server = await start(data_dir);
  const client = new pg.Client({ connectionString: server.url });
  client.on("error", () => {});
  await client.connect();
  const busy = client.query("select pg_sleep(60)").catch(() => "cut off");

  await server.stop();
  expect(await busy).toBe("cut off");
  expect(readdirSync(clusterOf(data_dir))).not.toContain("postmaster.pid");
});
