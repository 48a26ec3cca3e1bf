import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { readFile, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { release } from "node:os";
import { basename } from "node:path";
import { memoryBytes } from "../processes/memory.js";
import type { Binaries } from "./binaries.js";
import { type Folder, openForUser, serverNote } from "./folder.js";
import { run, runAs, type ServerUser, server_environment } from "./run.js";

/** All that is needed to start, ask and stop the server of one data folder. */
export interface Site {
  folder: Folder;
  binaries: Binaries;
  user: ServerUser | undefined;
  /** The cluster as the server's user reaches it; for processes that run inside it. */
  cluster_name: string;
  password: string;
  /** Nothing in it outlives its server, so nothing waits for a disk. */
  is_throwaway: boolean;
}

/** A server process that we started. */
export interface Launched {
  age_ms(): number;
  /** What it logged, once it has ended. */
  ended(): Promise<string> | undefined;
  /** Asks it for a fast stop. */
  stop(): void;
}

const log_bytes_max = 10 * 1024 * 1024;
const stop_seconds_max = 10;

/** Starts the server process. It outlives us, and whether it serves is found out by asking it. */
export async function launch(site: Site, port: number): Promise<Launched> {
  const { folder, binaries, user } = site;
  const foreign_pid = await pidOfAnotherProgram(folder);
  const { size: log_start } = await makeRoomInLog(folder);
  const log = await openForUser(folder.log_file, constants.O_APPEND, user);
  try {
    // The log is a file and not a pipe of ours: a server that writes into a pipe without a reader dies.
    const child = spawn(binaries.postgres, ["-D", site.cluster_name, ...settings(port, site)], {
      cwd: folder.cluster,
      env: { ...server_environment, ...(foreign_pid ? { PG_GRANDPARENT_PID: String(foreign_pid) } : {}) },
      stdio: ["ignore", log.fd, log.fd],
      // A session of its own: Ctrl-C and a closed terminal reach us alone.
      detached: true,
      ...runAs(user),
    });
    let end: Promise<string> | undefined;
    child.on("error", (error) => (end ??= Promise.resolve(error.message)));
    // The folder may have been deleted under a server that was left alone: then there is nothing to quote.
    const lastWords = () =>
      readFile(folder.log_file).then(
        (text) => text.subarray(log_start).toString(),
        () => "",
      );
    child.on("exit", () => (end ??= lastWords()));
    child.unref();
    const born = Date.now();
    return { age_ms: () => Date.now() - born, ended: () => end, stop: () => child.kill("SIGINT") };
  } finally {
    await log.close();
  }
}

/** Asks the server to drop its clients, write everything down and end. Answers whether it did so in time. */
export async function stopServer({ folder, binaries, user, cluster_name }: Site): Promise<boolean> {
  // pg_ctl takes the process id from the server's own note. We hold the lock inside that very server, so
  // the note is no leftover. There is no way to ask in SQL, and an adopted server is no child of ours.
  const { exit_code } = await run(
    binaries.pg_ctl,
    ["stop", "--pgdata", cluster_name, "--mode=fast", `--timeout=${stop_seconds_max}`],
    { cwd: folder.cluster, user },
  );
  return exit_code === 0 || (await serverNote(folder)).pid === undefined;
}

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}

function settings(port: number, { is_throwaway }: Pick<Site, "is_throwaway">): string[] {
  const durable = is_throwaway ? "off" : "on";
  const values = {
    port,
    listen_addresses: "127.0.0.1",
    // A socket's path ends at 107 bytes, which a long data folder exceeds.
    unix_socket_directories: "",
    shared_buffers: `${sharedMegabytes()}MB`,
    max_wal_size: "4GB",
    // Every commit waits while a new file is made for the log: so many are kept through a quiet day for what comes at night.
    min_wal_size: "512MB",
    max_connections: 200,
    max_locks_per_transaction: 256,
    // Spoken out, so that no line in a configuration file can turn them off.
    fsync: durable,
    synchronous_commit: "on",
    full_page_writes: durable,
    // After a crash everything is written down before it is replayed: file by file, a thousand of them take seconds.
    ...(syncsWholeFilesystem() ? { recovery_init_sync_method: "syncfs" } : {}),
    timezone: "UTC",
    log_timezone: "UTC",
    // Statements here are short: compiling them costs more than it saves.
    jit: "off",
    // Statements are planned once. What was planned beside a table of thirty customers reads all of them, at eight times the
    // cost when there are ten thousand, until somebody has analyzed the table: within a minute, if not said otherwise.
    autovacuum_naptime: "15s",
    // Who looks so often samples less: it takes less than half of the time, and statements are planned for any values (ADR 117).
    default_statistics_target: 30,
    // Statements of a parent that was killed end soon instead of running on for nobody.
    client_connection_check_interval: "1s",
    logging_collector: "off",
    log_destination: "stderr",
    log_checkpoints: "off",
    // Without the details of an error, which name the values of a row.
    log_error_verbosity: "terse",
    log_line_prefix: "%m [%p] ",
    cluster_name: "guerdon",
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Linux before 5.8 does not tell when writing down a whole file system has failed. */
function syncsWholeFilesystem(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 5 || (major === 5 && minor >= 8));
}

/** A quarter of the memory, at most 1 GiB: beyond, the system's own cache serves as well. */
const sharedMegabytes = () => Math.max(32, Math.min(1024, Math.floor(memoryBytes() / 4 / 1024 / 1024)));

/** Keeps one old log, so that years of warnings do not fill the disk. */
async function makeRoomInLog({ log_file }: Folder): Promise<{ size: number }> {
  const found = await stat(log_file).catch(() => ({ size: 0 }));
  if (found.size < log_bytes_max) return found;
  await rename(log_file, `${log_file}.old`);
  return { size: 0 };
}

/**
 * A process that has the id in the note of a server that is long gone, after the machine or the container
 * came up again: there the same small ids return with every start. PostgreSQL would refuse "another
 * postmaster is running" whenever that process belongs to the same user. It ignores an id that it is told
 * to be its grandparent's, which is how pg_ctl solves the same, and keeps every other safeguard.
 */
async function pidOfAnotherProgram(folder: Folder): Promise<number | undefined> {
  const { pid } = await serverNote(folder);
  if (!pid) return undefined;
  if (process.platform !== "linux") {
    const { exit_code, output } = await run("ps", ["-p", String(pid), "-o", "comm="], { cwd: "/", user: undefined });
    return exit_code === 0 && basename(output.trim()) !== "postgres" ? pid : undefined;
  }
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => undefined);
  if (name === undefined) return undefined;
  if (name.trim() !== "postgres") return pid;
  // A server works in its data directory, so one that works elsewhere is not ours. One without any is dead and
  // only not buried, as under an npm that is process 1 of a container. One we may not look at: believe the note.
  const found = await stat(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) => error.code);
  if (typeof found !== "object") return found === "ENOENT" ? pid : undefined;
  const { ino, dev } = await stat(folder.cluster);
  return found.ino === ino && found.dev === dev ? undefined : pid;
}
