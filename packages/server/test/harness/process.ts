import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, vi } from "vitest";
import { type Client, createClient } from "./client.js";

const packages = fileURLToPath(new URL("../../..", import.meta.url));
const bundle = join(packages, "server/bundle/main.js");
const start_ms_max = 120_000;
const running = new Set<ServiceProcess>();
const folders: string[] = [];

export interface ServiceProcess {
  child: ChildProcess;
  /** Everything it wrote so far. */
  out(): string;
  err(): string;
  /** Resolves when the process has ended. */
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a signal to the whole process group, as a terminal does. */
  signal(name: NodeJS.Signals): void;
}

export interface RunningService extends ServiceProcess {
  /** The address that it printed. */
  url: string;
}

interface ProcessOptions {
  env?: Record<string, string | undefined>;
  command?: string;
  cwd?: string;
  /** The file that is started, where it is not what an operator starts. */
  main?: string;
}

/** Builds what an operator starts, unless the last build is younger than every source. */
export async function buildIfStale(): Promise<void> {
  if (mtimeOf(bundle) > newestSource()) return;
  await promisify(execFile)(process.execPath, [join(packages, "../scripts/server/build.mjs")]);
}

/** The service as a file a module, for who puts something else in the place of one. */
export const main_of_modules = join(packages, "server/dist/main.js");

/**
 * Compiles it unless the last build is younger than every source. A wrong type is `npm test`'s to report; the compiler
 * writes the files all the same, and they are what is needed here.
 */
export async function buildModulesIfStale(): Promise<void> {
  const built = Math.min(...["server", "engine"].map((name) => mtimeOf(join(packages, name, "tsconfig.tsbuildinfo"))));
  if (built > newestSource()) return;
  const tsc = join(packages, "../node_modules/typescript-7/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-b", join(packages, "server")]).catch(() => undefined);
}

const newestSource = () =>
  Math.max(...["server/src", "engine/src"].flatMap((folder) => filesIn(join(packages, folder))).map(mtimeOf));

const mtimeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|worker\.js)$/.test(name) && !name.endsWith(".test.ts") && !name.endsWith(".fixtures.ts"))
    .map((name) => join(folder, name));
}

/** A new folder that goes away with the test; others may pass through it, as PostgreSQL's user must under root. */
export function scratch(): string {
  const folder = passableFolder();
  folders.push(folder);
  return folder;
}

/** A new folder that the caller removes. */
export function passableFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "guerdon-process-"));
  chmodSync(folder, 0o711);
  return folder;
}

/** `node bundle/main.js serve` as one process with nothing in its environment but PATH, a free port and what is given. */
export function launch({ env = {}, command = "serve", cwd = "/", main = bundle }: ProcessOptions = {}): ServiceProcess {
  const all = { PATH: process.env.PATH, PORT: "0", GUERDON_LOG: "warn", GUERDON_PROCESSES: "1", ...env };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const child = spawn(process.execPath, [main, command], {
    cwd,
    env: given as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own, so that a test can do what Ctrl-C does.
    detached: true,
  });
  const written = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written.err += text));
  const exit = new Promise<Awaited<ServiceProcess["exit"]>>((ended) => {
    // "close", not "exit": by then everything it wrote has arrived.
    child.on("close", (code, signal) => ended({ code, signal }));
  });
  const launched: ServiceProcess = {
    child,
    out: () => written.out,
    err: () => written.err,
    exit,
    signal: (name) => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, name);
    },
  };
  running.add(launched);
  void exit.then(() => running.delete(launched));
  return launched;
}

/** The processes that answer for a service of several, by their numbers. */
export async function processesOf({ child }: ServiceProcess): Promise<Map<number, number>> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const found = [...stdout.matchAll(/^ *(\d+) +(\d+) .*main\.js serve (\d+)$/gm)];
  const own = found.filter(([, , parent]) => Number(parent) === child.pid);
  return new Map(own.map(([, pid, , number]) => [Number(number), Number(pid)]));
}

/** Starts the service and waits for the address it prints. */
export async function startProcess(options: ProcessOptions = {}): Promise<RunningService> {
  const launched = launch(options);
  let ended = false;
  void launched.exit.then(() => (ended = true));
  const url = await vi.waitUntil(() => ended || addressIn(launched.out()), { timeout: start_ms_max, interval: 20 });
  if (typeof url !== "string") throw new Error(`the service ended: ${launched.err()}${launched.out()}`);
  return { ...launched, url };
}

/** What a start that is refused says and ends with. */
export async function refusedStart(options: ProcessOptions = {}) {
  const { exit, err, out } = launch(options);
  const { code } = await exit;
  return { code, err: err().trim(), out: out() };
}

/** Ends a service and answers how it ended. */
export async function stopProcess({ signal, exit }: ServiceProcess, name: NodeJS.Signals = "SIGTERM") {
  signal(name);
  return exit;
}

const addressIn = (text: string) => /answers at (http:\S+)/.exec(text)?.[1];

/** The credentials that a first start printed; undefined when it printed none. */
export function printedCredentials(text: string): Record<string, string> | undefined {
  const found = [...text.matchAll(/^ {2}(GUERDON_[A-Z_]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]);
  return found.length ? Object.fromEntries(found) : undefined;
}

/** Speaks to a service with the credentials that its first start printed. */
export function clientOf(url: string, credentials: Record<string, string> | undefined): Client {
  const { GUERDON_APP_ID = "", GUERDON_APP_TOKEN = "" } = credentials ?? {};
  return createClient(url, { "x-app-id": GUERDON_APP_ID, "x-app-token": GUERDON_APP_TOKEN });
}

/** How to reach the embedded database of a data folder. */
export function embeddedUrl(data_dir: string): string {
  const read = (name: string) => readFileSync(join(data_dir, "postgres", name), "utf8").trim();
  return `postgresql://guerdon:${read("password")}@127.0.0.1:${read("port")}/guerdon?sslmode=disable`;
}

/** The process id that a data folder's PostgreSQL noted. Throws where none is noted; one that was killed may be still. */
export const postgresPid = (data_dir: string) => Number(postgresNote(data_dir)[0]);

/**
 * The same, undefined where it has not come to serve. One that was just started notes its id too, and takes its note away
 * again when it finds that a connection of the one before it has not ended yet.
 */
export function servingPostgresPid(data_dir: string): number | undefined {
  const { 0: pid, 7: state } = postgresNote(data_dir);
  return state?.trim() === "ready" ? Number(pid) : undefined;
}

const postgresNote = (data_dir: string) =>
  readFileSync(join(data_dir, "postgres/cluster/postmaster.pid"), "utf8").split("\n");

/**
 * Ends every process and removes every folder of the test that just ran. Call it at the top of a file; it also gives
 * the tests time, since each starts whole servers.
 */
export function cleanUpProcesses(): void {
  vi.setConfig({ testTimeout: 60_000 });
  afterEach(async () => {
    for (const one of running) one.signal("SIGKILL");
    await Promise.all([...running].map(({ exit }) => exit));
    for (const folder of folders.splice(0)) {
      endPostgres(join(folder, "data"));
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  });
}

function endPostgres(data_dir: string): void {
  try {
    process.kill(postgresPid(data_dir), "SIGQUIT");
  } catch {
    // It was stopped, or never there.
  }
}
