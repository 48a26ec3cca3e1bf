import { execFile } from "node:child_process";
import { copyFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import * as style from "../../../../scripts/check-style.mjs";
import { aTree, house } from "./tree.js";

type Check = (typeof style.checks)[number];

const engine = "packages/engine/src/calendar/window.ts";
const service = "packages/server/src/features/vouchers/voucher.service.ts";
const store = "packages/server/src/features/vouchers/voucher.store.ts";
const voucherTest = "packages/server/src/features/vouchers/voucher.test.ts";

const problemsOf = (check: Check, file: string, text: string) => check(style.parse(file, text));

/** Each bad sample fails at its second line; each good one passes. */
function theCheck(check: Check, file: string, { bad, good }: { bad: string[]; good: string[] }) {
  test.each(bad)("refuses %s", (sample) => {
    const problems = problemsOf(check, file, `export {};\n${sample}\n`);
    expect(problems).not.toEqual([]);
    expect(problems[0]).toEqual({ path: file, line: 2, message: expect.stringMatching(/\w{3}/) });
  });
  test.each(good)("accepts %s", (sample) => {
    expect(problemsOf(check, file, `export {};\n${sample}\n`)).toEqual([]);
  });
}

describe("the engine has no clock and no dice", () => {
  theCheck(style.noClockNoDice, engine, {
    bad: [
      "Date.now();",
      "const clock = Date.now;",
      'Date["now"]();',
      "new Date();",
      "Date();",
      "new Date(2024, 1, 29);",
      "date.getHours();",
      "Temporal.Now.instant();",
      "performance.now();",
      "Math.random();",
      "crypto.randomUUID();",
      'import { randomInt } from "node:crypto";',
    ],
    good: ["new Date(instant);", "Date.UTC(2024, 1, 29);", "date.getUTCHours();", "Math.floor(1.5);", "// Date.now()"],
  });

  test("the server has, and so have tests", () => {
    expect(problemsOf(style.noClockNoDice, service, "Date.now();")).toEqual([]);
    expect(problemsOf(style.noClockNoDice, "packages/engine/src/calendar/window.test.ts", "Math.random();")).toEqual(
      [],
    );
  });
});

describe("no statement reads the database's clock", () => {
  theCheck(style.noClockInSql, store, {
    bad: [
      "sql`update vouchers set updated_at = now()`;",
      "sql`select current_timestamp`;",
      "sql`and vouchers.expires_at > ${since} and clock_timestamp() > ${until}`;",
      "sql`select 'now'::timestamptz`;",
      'client.query("delete from outbox where outbox.at < now()");',
      "client.query(`delete from outbox where outbox.at < now() and outbox.id = ${id}`);",
    ],
    good: [
      "sql`select ${now}::timestamptz -- not now()`;",
      "const now = clock.now();",
      'test("now() is refused", run);',
    ],
  });

  test("but for the clock that follows it, and waits that the database alone can tell", () => {
    const ask = "sql`select clock_timestamp()`;";
    for (const file of ["clock", "db/locks"])
      expect(problemsOf(style.noClockInSql, `packages/server/src/platform/${file}.ts`, ask)).toEqual([]);
  });
});

describe("what is refused stands in the catalogue", () => {
  theCheck(style.refusedByTheCatalogue, service, {
    bad: ['throw new Problem(400, { code: 400, key: "voucher_tired", message: "voucher is tired" });'],
    good: ["throw refusals.alreadyJoined();", "if (error instanceof Problem) throw error;", "new ProblemBook();"],
  });

  test("and is made there", () => {
    for (const file of ["packages/server/src/terms/refusals.ts", "packages/server/src/platform/http/problems.ts"])
      expect(problemsOf(style.refusedByTheCatalogue, file, "new Problem(400, {});")).toEqual([]);
  });
});

describe("every statement heeds the project", () => {
  theCheck(style.projectInEveryStatement, store, {
    bad: [
      "sql`select vouchers.code from vouchers where vouchers.id = ${id}`;",
      "sql`select vouchers.project_id from vouchers where vouchers.id = ${id}`;",
      "sql`select vouchers.code from vouchers -- project_id = 1`;",
      "sql`with card as (select 1) delete from card_balances where ${filter}`;",
      "sql`insert into vouchers (id, code) values (${id}, ${code})`;",
      "sql`-- every project:\n select vouchers.id from vouchers`;",
      'tx.run("delete from vouchers where vouchers.project_id = $1");',
      'tx.run("SELECT * FROM vouchers WHERE vouchers.project_id = $1");',
      "tx.run(`with card as (select 1) select card.id from card`);",
    ],
    good: [
      "sql`select vouchers.code from vouchers where vouchers.project_id = ${project_id}`;",
      "sql`insert into vouchers (project_id, id) values (${project_id}, ${id})`;",
      "sql`select projects.name from projects where projects.id = ${project_id}`;",
      "sql`-- every project: the dispatcher serves them all\n select outbox.id from outbox`;",
      "sql`order by vouchers.created_at`;",
      'const description = "Select one from the list, or update the order and set nothing";',
    ],
  });

  test("also outside the stores, so that none escapes by moving", () => {
    const [problem] = problemsOf(style.projectInEveryStatement, service, "sql`select 1 from vouchers`;");
    expect(problem).toMatchObject({ path: service, line: 1 });
  });

  test("and when no store holds a statement that the check understands, it fails", () => {
    const problems = style.styleProblems([style.parse(store, "query`select 1 from vouchers`;")], {});
    expect(problems).toContainEqual(expect.objectContaining({ message: expect.stringContaining("No store holds") }));
  });
});

describe("each table is written in one folder", () => {
  const books = "packages/server/src/books/usage.store.ts";
  const members = "packages/server/src/features/loyalties/members/member.store.ts";
  const programs = "packages/server/src/features/loyalties/programs/program.store.ts";
  const problemsOfFiles = (files: Record<string, string>) =>
    style.oneWriterATable(Object.entries(files).map(([path, text]) => style.parse(path, text)));
  const declared = 'export const voucher_usage = table<Usage>("voucher_usage", { id: text });\n';

  test.each<[string, Record<string, string>]>([
    [
      "an insert and a delete",
      { [books]: "sql`insert into voucher_usage (id) values (1)`;", [store]: "sql`delete from voucher_usage`;" },
    ],
    [
      "two updates, one inside a with",
      {
        [books]: "sql`update voucher_usage set a = 1`;",
        [store]: "sql`with a as (update voucher_usage set a = 1) select 1`;",
      },
    ],
    [
      "an insert by its declared columns",
      { [books]: `${declared}insertInto(voucher_usage, "p", []);`, [store]: "sql`delete from voucher_usage`;" },
    ],
    [
      "a declaration that is used elsewhere",
      { [books]: `${declared}sql\`delete from voucher_usage\`;`, [store]: 'upsertInto(voucher_usage, "p", [], []);' },
    ],
    [
      "two features of a group",
      { [members]: "sql`delete from members`;", [programs]: "sql`update members set a = 1`;" },
    ],
  ])("refuses %s in two folders, and names both", (_name, files) => {
    const problems = problemsOfFiles(files);
    expect(problems.map(({ path }) => path).sort()).toEqual(Object.keys(files).sort());
    for (const { message } of problems)
      expect(message).toMatch(/is written in (books|features\/loyalties\/members) and in features\//);
  });

  test.each<[string, Record<string, string>]>([
    ["two files of a folder", { [store]: "sql`delete from vouchers`;", [service]: "sql`update vouchers set a = 1`;" }],
    [
      "reading",
      {
        [books]: "sql`update voucher_usage set a = 1`;",
        [store]: "sql`select 1 from voucher_usage for update skip locked`;",
      },
    ],
    [
      "the foreign key, and on conflict",
      {
        [books]: "sql`insert into voucher_usage (id) values (1) on conflict do update set a = 1`;",
        [store]: "sql`insert into vouchers (id) values (1) on conflict do update set a = 1`;",
      },
    ],
    [
      "tests",
      { [books]: "sql`update voucher_usage set a = 1`;", [voucherTest]: "sql`update voucher_usage set a = 1`;" },
    ],
  ])("accepts %s", (_name, files) => {
    expect(problemsOfFiles(files)).toEqual([]);
  });
});

describe("config.ts is the only reader of the environment", () => {
  theCheck(style.environmentInConfigOnly, service, {
    bad: [
      "process.env.PORT;",
      'process["env"].PORT;',
      "globalThis.process.env.PORT;",
      "const { env } = process;",
      'import { env } from "node:process";',
    ],
    good: ["process.exitCode = 1;", "config.env.port;"],
  });

  test("but for itself, tests and scripts", () => {
    for (const file of ["packages/server/src/config.ts", voucherTest, "scripts/demo.mjs", "bench/run.mjs"]) {
      expect(problemsOf(style.environmentInConfigOnly, file, "process.env.PORT;")).toEqual([]);
    }
  });
});

describe("files and functions stay short", () => {
  const lines = (count: number) => "1;\n".repeat(count);
  const aFunction = (count: number) => `function redeem() {\n${lines(count - 2)}}\n`;
  const lengthsOf = (text: string, ratchet = {}, file = service) => style.lengths([style.parse(file, text)], ratchet);

  test.each`
    subject                     | text             | outcome
    ${"a file of 300 lines"}    | ${lines(300)}    | ${[]}
    ${"a file of 301 lines"}    | ${lines(301)}    | ${[{ path: service, line: 1, message: expect.stringContaining("has 301 lines") }]}
    ${"a function of 70 lines"} | ${aFunction(70)} | ${[]}
    ${"a function of 71 lines"} | ${aFunction(71)} | ${[{ path: service, line: 1, message: expect.stringContaining("redeem has 71") }]}
  `("$subject", ({ text, outcome }) => {
    expect(lengthsOf(text)).toEqual(outcome);
  });

  test.each`
    known  | outcome
    ${320} | ${[]}
    ${319} | ${[expect.objectContaining({ path: service, message: expect.stringContaining("grew from 319 to 320") })]}
    ${330} | ${[expect.objectContaining({ message: expect.stringContaining(`lower "${service}" to 320`) })]}
  `("a file of 320 lines that the ratchet knows with $known", ({ known, outcome }) => {
    expect(lengthsOf(lines(320), { [service]: known })).toEqual(outcome);
  });

  test("what became short, or is gone, leaves the ratchet", () => {
    const left = expect.objectContaining({ message: expect.stringContaining(`delete "${service}#redeem"`) });
    expect(lengthsOf(aFunction(10), { [`${service}#redeem`]: 90 })).toEqual([left]);
    expect(style.lengths([], { [`${service}#redeem`]: 90 })).toEqual([left]);
  });

  test("a list of routes may be long where each route is short", () => {
    const routes = `function routes() {\n${`app.get("/", () => {\n${lines(10)}});\n`.repeat(10)}}\n`;
    expect(lengthsOf(routes, {}, service.replace("service", "routes"))).toEqual([]);
    expect(lengthsOf(routes)).not.toEqual([]);
  });

  test("the cases of a test are a list", () => {
    expect(lengthsOf(aFunction(200), {}, voucherTest)).toEqual([]);
  });
});

describe("state is changed through recording/", () => {
  theCheck(style.recordedByChange, service, {
    bad: [
      "await context.db.transaction(async (tx) => write(tx));",
      "const made = db.transaction(make);",
      'import { lockKeys } from "../../platform/locks.js";',
    ],
    good: [
      "await change(context, call, async ({ tx, tell }) => tell(event));",
      "const { transaction } = entry;",
      "const [found] = await holding(tx, [key], () => find(tx));",
    ],
  });

  test("but for recording itself, what stands below it, and tests", () => {
    const sample = "await db.transaction(work);";
    for (const file of [
      "packages/server/src/recording/change.ts",
      "packages/server/src/events/dispatch/inbox.ts",
      voucherTest,
    ])
      expect(problemsOf(style.recordedByChange, file, sample)).toEqual([]);
  });
});

describe("a folder can be seen at a glance", () => {
  const filesIn = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => style.parse(`packages/server/src/${folder}/file-${i}.ts`, ""));

  test("one file too many is refused, with the folder", () => {
    const [problem, ...others] = style.crowdedFolders(filesIn("platform/db", style.folder_files_max + 1));
    expect(problem).toMatchObject({ path: "packages/server/src/platform/db" });
    expect(others).toEqual([]);
  });

  test("a full one passes, one inside another counts for itself, and a feature holds what it needs", () => {
    const files = [...filesIn("platform", style.folder_files_max), ...filesIn("platform/db", 1)];
    expect(style.crowdedFolders([...files, ...filesIn("features/campaigns", 40)])).toEqual([]);
  });
});

describe("nothing is left for later", () => {
  theCheck(style.noUnfinished, service, {
    bad: ["// TODO: later", "redeem(); /* FIXME */", "sql`select 1 -- HACK`;", "/** XXX */"],
    good: ['const pattern = "PROMO-XXX";', "const hack = 1;", "// to do is not the word"],
  });

  test("nor in a migration", () => {
    const migration = "packages/server/migrations/0001_projects.sql";
    expect(problemsOf(style.noUnfinished, migration, "select 1;\n-- TODO index\n")).toMatchObject([{ line: 2 }]);
  });
});

describe("nothing is cast to any", () => {
  theCheck(style.noAnyCast, service, {
    bad: [
      "redeem(body as any);",
      "redeem(<any>body);",
      "redeem(body as Record<string, any>);",
      "redeem(body as any[]);",
    ],
    good: ["redeem(body as Company);", "redeem(body as unknown);", 'expect("as any").toBe(expect.any(String));'],
  });
});

describe("every test runs", () => {
  theCheck(style.noSkippedTest, voucherTest, {
    bad: [
      'test.skip("a rule", run);',
      'describe.only("a rule", run);',
      'it.todo("a rule");',
      'test.concurrent.only("a rule", run);',
      'test.fails("a rule", run);',
      'test("a rule", { skip: true }, run);',
      "context.skip();",
    ],
    good: [
      'test.runIf(long)("a rule", run);',
      'test("a rule", { timeout: 1 }, run);',
      "rows.skip(1);",
      'test.each([{ only: 1 }])("a", run);',
    ],
  });
});

describe("no promise is lost", () => {
  test("Biome, with our configuration, refuses a call without await in packages/server", async () => {
    const root = aTree({
      "packages/server/src/tx.ts": "export interface Tx {\n  run(text: string): Promise<void>;\n}\n",
      "packages/server/src/lost.ts":
        'import type { Tx } from "./tx.js";\n\nexport function spend(tx: Tx) {\n  tx.run("commit");\n}\n',
    });
    copyFileSync(path.join(house, "biome.json"), path.join(root, "biome.json"));
    const biome = promisify(execFile)(path.join(house, "node_modules/.bin/biome"), ["lint", "--reporter=github", "."], {
      cwd: root,
    });
    await expect(biome).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/noFloatingPromises.*lost\.ts,line=4/),
    });
  });

  test("where Biome does not see one, the compiler does", () => {
    const root = aTree({
      "packages/server/tsconfig.json": JSON.stringify({
        compilerOptions: { module: "NodeNext", target: "ES2022", types: ["node"], strict: true },
        include: ["src"],
      }),
      "packages/server/src/lost.ts": [
        'import { readFile, writeFile } from "node:fs/promises";',
        "export async function write(names: string[], log?: () => Promise<void>) {",
        '  writeFile("lost", "");',
        "  names.forEach(async (name) => {",
        '    await writeFile(name, "");',
        "  });",
        "  log?.();",
        '  await writeFile("kept", "");',
        '  writeFile("kept", "").catch(() => {});',
        "  void log?.();",
        '  const text = readFile("kept");',
        "  names.push(String(await text));",
        "}",
        "",
      ].join("\n"),
    });
    symlinkSync(path.join(house, "node_modules"), path.join(root, "node_modules"));
    expect(style.lostPromises(root).map(({ path: file, line }) => `${file}:${line}`)).toEqual([
      "packages/server/src/lost.ts:3",
      "packages/server/src/lost.ts:4",
      "packages/server/src/lost.ts:7",
    ]);
  });
});
