import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/postgres/index.js";
import { createClient } from "../harness/client.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  launch,
  passableFolder,
  printedCredentials,
  refusedStart,
  scratch,
  startProcess,
  stopProcess,
} from "../harness/process.js";

cleanUpProcesses();
const quiet = { info() {}, warn() {}, error() {} };
const key = { a: "a".repeat(64), b: "b".repeat(64) };
let postgres: EmbeddedPostgres;
let shared_folder: string;

beforeAll(async () => {
  await buildIfStale();
  shared_folder = passableFolder();
  postgres = await startEmbeddedPostgres({ data_dir: join(shared_folder, "data"), log: quiet });
});
afterAll(async () => {
  await postgres.stop();
  rmSync(shared_folder, { recursive: true });
});

let databases = 0;

/** A new empty database on the shared server; answers its connection string. */
async function aDatabase(options = ""): Promise<string> {
  databases += 1;
  const name = `processes_${databases}`;
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name} ${options}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = name;
  return url.href;
}

const aDataDir = () => join(scratch(), "data");

describe("a wrong value in the environment", () => {
  test("stops the start with one line that names it", async () => {
    // What is wrong with which is said by config.test.ts.
    const values = [
      ["PORT", "abc"],
      ["DATABASE_URL", "nonsense"],
    ] as const;
    // All at once: most of what a start takes is waiting for the machine.
    const starts = values.map(([name, value]) => refusedStart({ env: { [name]: value } }));
    for (const [i, { code, err, out }] of (await Promise.all(starts)).entries()) {
      const line = expect.stringMatching(new RegExp(`^guerdon: ${values[i]?.[0]} must [^\n]+$`));
      expect({ code, err, out }).toEqual({ code: 1, err: line, out: "" });
    }
  });

  test("a data folder that cannot be one is named, in one line", async () => {
    const folder = scratch();
    writeFileSync(join(folder, "file"), "");
    const data_dir = join(folder, "file", "data");
    const { code, err } = await refusedStart({ env: { GUERDON_DATA_DIR: data_dir } });
    expect(code).toBe(1);
    expect(err.split("\n")).toHaveLength(1);
    expect(err).toContain(data_dir);
  });

  test("a host that is not ours is named, in one line", async () => {
    const env = { HOST: "203.0.113.1", DATABASE_URL: await aDatabase(), GUERDON_DATA_DIR: aDataDir() };
    const { code, err } = await refusedStart({ env });
    expect({ code, err }).toEqual({ code: 1, err: "guerdon: HOST: 203.0.113.1 is not an address of this machine" });
  });

  test("an unknown command is told which there are", async () => {
    const { code, err } = await refusedStart({ command: "dance" });
    expect({ code, err }).toEqual({
      code: 2,
      err: "unknown command 'dance'; there are: serve, migrate, owner-link, openapi",
    });
  });
});

describe("a database that cannot be used", () => {
  const refusedWith = (DATABASE_URL: string) => refusedStart({ env: { DATABASE_URL, GUERDON_DATA_DIR: aDataDir() } });

  test("which nobody serves: one line, without the password", async () => {
    const { code, err } = await refusedWith("postgresql://me:hush@127.0.0.1:1/guerdon");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^guerdon: DATABASE_URL: postgresql:\/\/me:\*\*\*@127\.0\.0\.1:1\/guerdon does not answer: .+$/,
    );
  });

  test.each([
    "postgresql://me@127.0.0.1:1/guerdon?password=hush",
    "postgresql://127.0.0.1:1/guerdon?sslmode=disable&user=me&password=hush&sslpassword=hush",
    "postgresql://me:p@hush@127.0.0.1:1/guerdon",
    "postgresql://me:%zzhush@127.0.0.1:1/guerdon",
    "postgresql://:hush@127.0.0.1:1/guerdon?options=-c%20app.token%3Dhush",
  ])("which nobody serves at %s: one line, without what is secret", async (url) => {
    const { code, err } = await refusedWith(url);
    expect(code).toBe(1);
    expect(err).toMatch(/^guerdon: DATABASE_URL: postgresql:\/\/.*127\.0\.0\.1:1\/guerdon\S* does not answer: [^\n]+$/);
    expect(err).not.toContain("hush");
  });

  test("to which the password is wrong: one line, without either password", async () => {
    const url = new URL(postgres.url);
    url.password = "hush";
    const { code, err } = await refusedWith(url.href);
    expect(code).toBe(1);
    expect(err).toMatch(/^guerdon: DATABASE_URL: .* does not answer: password authentication failed .*$/);
    expect(err).not.toContain("hush");
  });

  test("which does not exist: one line that names it", async () => {
    const url = new URL(postgres.url);
    url.pathname = "nowhere";
    const { code, err } = await refusedWith(url.href);
    expect(code).toBe(1);
    expect(err).toMatch(/^guerdon: DATABASE_URL: .* does not answer: database "nowhere" does not exist$/);
  });

  test("with another encoding: one line that says which is needed", async () => {
    const url = await aDatabase(
      "encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C' locale_provider libc",
    );
    const { code, err } = await refusedWith(url);
    expect(code).toBe(1);
    expect(err).toBe("guerdon: DATABASE_URL: the database has the encoding SQL_ASCII; create one with encoding UTF8");
  });

  test("made with another secret key: one line that names the variable", async () => {
    const env = { DATABASE_URL: await aDatabase(), GUERDON_DATA_DIR: aDataDir() };
    const first = await startProcess({ env: { ...env, GUERDON_SECRET_KEY: key.a } });
    expect((await stopProcess(first)).code).toBe(0);
    const { code, err } = await refusedStart({ env: { ...env, GUERDON_SECRET_KEY: key.b } });
    expect(code).toBe(1);
    expect(err).toMatch(/^guerdon: GUERDON_SECRET_KEY .+$/);
    await startProcess({ env: { ...env, GUERDON_SECRET_KEY: key.a } });
  });
});

describe("a start", () => {
  test.each(["1", "3"])(
    "of %s processes on a port that is taken says which, what helps, and the credentials that it made all the same",
    async (GUERDON_PROCESSES) => {
      const taken = createServer().listen(0, "127.0.0.1");
      await new Promise((listening) => taken.once("listening", listening));
      const { port } = taken.address() as { port: number };
      const env = {
        PORT: String(port),
        DATABASE_URL: await aDatabase(),
        GUERDON_DATA_DIR: aDataDir(),
        GUERDON_PROCESSES,
      };
      const { code, err, out } = await refusedStart({ env });
      taken.close();
      expect({ code, err }).toEqual({
        code: 1,
        err: `guerdon: PORT: ${port} is taken on 127.0.0.1; stop what listens there or set PORT (0 takes a free one)`,
      });
      const { url } = await startProcess({ env: { ...env, PORT: "0" } });
      await clientOf(url, printedCredentials(out)).get("/v1/customers", 200);
    },
  );

  test("with nothing but PATH takes ./data, and prints credentials that work; the second start prints none", async () => {
    const cwd = scratch();
    const environment = { cwd, env: { GUERDON_LOG: undefined, GUERDON_PROCESSES: undefined } };
    const first = await startProcess(environment);
    const credentials = printedCredentials(first.out());
    expect(Object.keys(credentials ?? {}).sort()).toEqual([
      "GUERDON_APP_ID",
      "GUERDON_APP_TOKEN",
      "GUERDON_CLIENT_ID",
      "GUERDON_CLIENT_TOKEN",
      "GUERDON_MANAGEMENT_ID",
      "GUERDON_MANAGEMENT_TOKEN",
      "GUERDON_PROJECT_ID",
    ]);
    expect(new URL(first.url).port).not.toBe("0");
    await clientOf(first.url, credentials).post("/v1/customers", { source_id: "first" }, 200);
    const file = join(cwd, "data/credentials.env");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // PostgreSQL, which runs as another user than root, passes through; nobody looks around.
    expect(statSync(join(cwd, "data")).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    expect(readFileSync(file, "utf8")).toContain(`GUERDON_APP_TOKEN=${credentials?.GUERDON_APP_TOKEN}`);
    expect((await stopProcess(first)).code).toBe(0);

    const second = await startProcess(environment);
    expect(printedCredentials(second.out())).toBeUndefined();
    expect(second.out()).not.toContain(credentials?.GUERDON_APP_TOKEN);
    expect((await clientOf(second.url, credentials).get("/v1/customers/first", 200)).body.source_id).toBe("first");
  });

  test("that cannot keep the first keys says where in one line and makes none; the next one makes them", async () => {
    const data_dir = aDataDir();
    const file = join(data_dir, "credentials.env");
    mkdirSync(join(file, "in the way"), { recursive: true });
    const env = { DATABASE_URL: await aDatabase(), GUERDON_DATA_DIR: data_dir };
    const { code, err, out } = await refusedStart({ env });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^guerdon: GUERDON_DATA_DIR: the first project's keys cannot be kept in [^\n]+$/);
    expect(err).toContain(file);
    expect(readdirSync(data_dir)).not.toContain("credentials.env.new");

    rmSync(file, { recursive: true });
    // Left by a start that was killed before it had committed: it must not be believed.
    writeFileSync(file, "GUERDON_APP_ID=nobody\n", { mode: 0o644 });
    const { url, out: said } = await startProcess({ env });
    const credentials = printedCredentials(said());
    await clientOf(url, credentials).get("/v1/customers", 200);
    expect(said().match(/GUERDON_APP_TOKEN=/g)).toHaveLength(1);
    expect(readFileSync(file, "utf8")).toContain(`GUERDON_APP_ID=${credentials?.GUERDON_APP_ID}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("with a database elsewhere makes a data folder that is closed to others", async () => {
    const data_dir = aDataDir();
    await startProcess({ env: { DATABASE_URL: await aDatabase(), GUERDON_DATA_DIR: data_dir } });
    expect(statSync(data_dir).mode & 0o777).toBe(0o700);
  });

  test("needs no more of the database than SECURITY.md says: to log in, and to make tables", async () => {
    const url = new URL(await aDatabase());
    const grant = async (on: string, text: string) => {
      const client = new pg.Client({ connectionString: on });
      await client.connect();
      await client.query(text);
      await client.end();
    };
    await grant(postgres.url, "create role modest login password 'modest'");
    await grant(
      url.href,
      `revoke connect on database ${url.pathname.slice(1)} from public;
      grant connect on database ${url.pathname.slice(1)} to modest; grant usage, create on schema public to modest`,
    );
    url.username = "modest";
    url.password = "modest";
    const service = await startProcess({ env: { DATABASE_URL: url.href, GUERDON_DATA_DIR: aDataDir() } });
    await clientOf(service.url, printedCredentials(service.out())).post("/v1/customers", { source_id: "modest" }, 200);
    expect((await stopProcess(service)).code).toBe(0);
    expect(service.err()).toBe("");
  });

  test("takes the credentials it is given, and warns when others are stored", async () => {
    const env = { DATABASE_URL: await aDatabase(), GUERDON_DATA_DIR: aDataDir() };
    const given = { GUERDON_PROJECT_ID: "proj_mine", GUERDON_APP_ID: "my-app", GUERDON_APP_TOKEN: "my-token" };
    const management = { GUERDON_MANAGEMENT_ID: "my-management", GUERDON_MANAGEMENT_TOKEN: "my-management-token" };
    const first = await startProcess({ env: { ...env, ...given, ...management } });
    await clientOf(first.url, given).get("/v1/customers", 200);
    const headers = { "x-management-id": "my-management", "x-management-token": "my-management-token" };
    await createClient(first.url, headers).get("/management/v1/projects/proj_mine", 200);
    await stopProcess(first);
    const second = await startProcess({ env: { ...env, ...given, GUERDON_APP_TOKEN: "another" } });
    expect(second.err()).toContain("GUERDON_APP_ID and GUERDON_APP_TOKEN differ from what is stored");
    await clientOf(second.url, given).get("/v1/customers", 200);
  });

  test("of two processes at once on one database makes one first project, which both serve", async () => {
    const env = { DATABASE_URL: await aDatabase(), GUERDON_DATA_DIR: aDataDir() };
    const both = await Promise.all([startProcess({ env }), startProcess({ env })]);
    const printed = both.map(({ out }) => printedCredentials(out())).filter((one) => one !== undefined);
    expect(printed).toHaveLength(1);
    await clientOf(both[0].url, printed[0]).post("/v1/customers", { source_id: "shared" }, 200);
    await clientOf(both[1].url, printed[0]).get("/v1/customers/shared", 200);
  });

  test("of migrate alone brings the schema up to date and ends; openapi needs no database", async () => {
    const env = { DATABASE_URL: await aDatabase(), GUERDON_DATA_DIR: aDataDir() };
    expect((await launch({ env, command: "migrate" }).exit).code).toBe(0);
    await startProcess({ env });
    const described = launch({ command: "openapi" });
    expect((await described.exit).code).toBe(0);
    expect(JSON.parse(described.out())).toHaveProperty("openapi");
  });
});
