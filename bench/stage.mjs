// What a run stands on: PostgreSQL in a temporary folder, the service and the floor as processes of their own.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { readConfig } from "../packages/server/dist/config.js";
import { startEmbeddedPostgres } from "../packages/server/dist/platform/postgres/index.js";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const { scripts } = JSON.parse(readFileSync(file("../package.json"), "utf8"));
/** What `npm start` tells Node.js of the heap. */
const flags_of_start = scripts.start.split(" ").filter((word) => word.startsWith("--"));
const quiet = { info() {}, warn() {}, error: console.error };

export const project_id = "proj_bench";
const credentials = {
  GUERDON_PROJECT_ID: project_id,
  GUERDON_APP_ID: "bench",
  GUERDON_APP_TOKEN: randomBytes(32).toString("hex"),
  GUERDON_MANAGEMENT_ID: "bench-management",
  GUERDON_MANAGEMENT_TOKEN: randomBytes(32).toString("hex"),
};
export const headers = {
  "content-type": "application/json",
  "x-app-id": credentials.GUERDON_APP_ID,
  "x-app-token": credentials.GUERDON_APP_TOKEN,
};

export const management_headers = {
  "content-type": "application/json",
  "x-management-id": credentials.GUERDON_MANAGEMENT_ID,
  "x-management-token": credentials.GUERDON_MANAGEMENT_TOKEN,
};

/**
 * Starts PostgreSQL; services and floors start on it as workloads ask for them.
 * @param processes of each service
 */
export async function setStage({ processes }) {
  const folder = mkdtempSync(join(tmpdir(), "guerdon-bench-"));
  // PostgreSQL runs as another user when we are root, and must be able to pass through.
  chmodSync(folder, 0o711);
  const postgres = await startWithStatistics(join(folder, "data"));
  const db = await connect(postgres.url);
  const running = new Set();

  async function start(command, environment) {
    const process_ = await startProcess(command, { DATABASE_URL: postgres.url, ...environment });
    running.add(process_);
    return process_;
  }

  return {
    db,
    /** The real service, as its operator starts it. With `profile_dir` its CPU is profiled into that folder. */
    startService: ({ profile_dir, environment = {} } = {}) =>
      start(
        [
          ...flags_of_start,
          ...(profile_dir ? ["--cpu-prof", `--cpu-prof-dir=${profile_dir}`] : []),
          // A profile tells whose time it is by the files of modules, which lack what the bundle is made with (ADR 102).
          file(`../packages/server/${profile_dir ? "dist" : "bundle"}/main.js`),
          "serve",
        ],
        {
          PORT: "0",
          GUERDON_LOG: "error",
          GUERDON_PROCESSES: String(processes),
          GUERDON_DATA_DIR: join(folder, "service"),
          ...credentials,
          ...environment,
        },
      ),
    /** A floor whose replies are as long as ours. */
    startFloor: (statement, reply_bytes) =>
      start([file("floor.mjs")], {
        FLOOR_STATEMENT: statement,
        FLOOR_REPLY_BYTES: String(reply_bytes),
        FLOOR_CONNECTIONS: String(readConfig({}).connections_max),
      }),
    async stop(process_) {
      running.delete(process_);
      await process_.stop();
    },
    async newFolder() {
      const made = join(folder, randomBytes(4).toString("hex"));
      mkdirSync(made);
      return made;
    },
    /** CPU seconds that PostgreSQL has used so far, with all its processes; undefined where this cannot be read. */
    postgresCpu: async () => cpuOfPostgres(db),
    async database() {
      const { rows } = await db.query("show server_version");
      return { postgres: rows[0].server_version, connections: readConfig({}).connections_max };
    },
    async clear() {
      await Promise.all([...running].map((process_) => process_.stop()));
      await db.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** PostgreSQL as the service starts it, able to count what each statement costs; it does so only when told. */
async function startWithStatistics(data_dir) {
  const first = await startEmbeddedPostgres({ data_dir, log: quiet });
  const client = await connect(first.url);
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.query("alter system set pg_stat_statements.track = 'none'");
  await client.end();
  await first.stop();
  const postgres = await startEmbeddedPostgres({ data_dir, log: quiet });
  const again = await connect(postgres.url);
  await again.query("create extension pg_stat_statements");
  await again.end();
  return postgres;
}

/** What the work makes PostgreSQL do: each statement's share of its time, calls, and mean. Largest first. */
export async function statementsOf(db, work) {
  const track = async (what) => {
    await db.query(`alter system set pg_stat_statements.track = '${what}'`);
    await db.query("select pg_reload_conf()");
  };
  await db.query("select pg_stat_statements_reset()");
  await track("top");
  await work();
  await track("none");
  const { rows } = await db.query(
    `select query, calls::int, mean_exec_time as mean_ms, total_exec_time / sum(total_exec_time) over () as share
       from pg_stat_statements where query !~ 'pg_stat_statements|pg_reload_conf' order by total_exec_time desc limit 12`,
  );
  return rows.map((row) => ({ ...row, query: row.query.replace(/\s+/g, " ").trim() }));
}

/** Starts a process of ours and waits for the address that it prints. */
async function startProcess(command, environment) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GUERDON_")));
  const child = spawn(process.execPath, command, {
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const begun = performance.now();
  const ended = new Promise((resolve) => child.on("exit", resolve));
  let printed = "";
  const url = await Promise.race([
    new Promise((found) => {
      child.stdout.on("data", (piece) => {
        printed += piece;
        const address = printed.match(/answers at (http:\S+)/)?.[1];
        if (address) found(address);
        // The level is set so that nothing is logged while all is well.
        for (const line of String(piece).split("\n"))
          if (line.startsWith('{"level"')) console.error(line.slice(0, 1000));
      });
    }),
    ended.then((code) => Promise.reject(new Error(`${command.at(-1)} ended with ${code} before it listened`))),
  ]);
  const pids = withChildren(child.pid);
  let rss_mb = 0;
  const watch = setInterval(() => {
    rss_mb = Math.max(rss_mb, sumOver(pids, rssOf));
  }, 250);
  return {
    url,
    age_ms: () => performance.now() - begun,
    /** CPU seconds so far. */
    cpu: () => sumOver(pids, (pid) => statOf(pid)?.cpu_s),
    rss_now_mb: () => sumOver(pids, rssOf),
    /** The highest so far. */
    rss_mb: () => Math.round(rss_mb),
    async stop() {
      clearInterval(watch);
      child.kill("SIGTERM");
      await ended;
    },
  };
}

// Linux tells what a process uses in /proc; elsewhere these figures are left out.
const ticks_per_s = 100;

function statOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    const [utime, stime, ended_utime, ended_stime] = fields.slice(11, 15).map(Number);
    return {
      parent: Number(fields[1]),
      cpu_s: (utime + stime) / ticks_per_s,
      ended_s: (ended_utime + ended_stime) / ticks_per_s,
    };
  } catch {
    return undefined;
  }
}

function rssOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;
  } catch {
    return 0;
  }
}

/** A process and those that it has started. */
const withChildren = (pid) => [pid, ...processIds().filter((other) => statOf(other)?.parent === pid)];

const sumOver = (pids, figure) => pids.reduce((sum, pid) => sum + figure(pid), 0);

function processIds() {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

async function cpuOfPostgres(db) {
  const { rows } = await db.query("select pg_backend_pid() as pid");
  const postmaster = statOf(rows[0].pid)?.parent;
  if (postmaster === undefined) return undefined;
  const { cpu_s, ended_s } = statOf(postmaster);
  const children = processIds().map(statOf);
  return children.reduce((sum, child) => sum + (child?.parent === postmaster ? child.cpu_s : 0), cpu_s + ended_s);
}

/** Waits for the second phase to have taken everything, so that it does not run into somebody else's measurement. */
export async function settle(db) {
  for (const until = performance.now() + 120_000; performance.now() < until; await pause(50)) {
    const { rows } = await db.query("select exists (select from outbox_parcels) as busy");
    if (!rows[0].busy) return;
  }
  throw new Error("the outbox did not get empty within two minutes");
}
