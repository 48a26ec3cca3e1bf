import { spawn } from "node:child_process";

/** The user that root hands the server to; PostgreSQL refuses to run as root. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * The whole environment of every process started here. Nothing is inherited: a PGPORT or a German LC_ALL
 * of whoever starts Guerdon must not reach the database, and initdb with an empty environment would guess
 * SQL_ASCII. LC_ALL also keeps macOS from starting threads in the server, which it does not survive.
 */
export const server_environment: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
};

/** Who a process runs as; with nobody named, as ourselves. */
export const runAs = (user: ServerUser | undefined) => (user ? { uid: user.uid, gid: user.gid } : {});

/** Runs a command to its end. A command that cannot be started answers no exit code. */
export async function run(
  command: string,
  parameters: readonly string[],
  place: { cwd: string; user: ServerUser | undefined },
): Promise<{ exit_code: number | null; output: string }> {
  // What stands in the way of a start comes as an event (no such file) or is thrown (not allowed to change the user).
  return runOrThrow(command, parameters, place).catch((error: Error) => ({ exit_code: null, output: error.message }));
}

function runOrThrow(
  command: string,
  parameters: readonly string[],
  { cwd, user }: { cwd: string; user: ServerUser | undefined },
): Promise<{ exit_code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      cwd,
      env: server_environment,
      stdio: ["ignore", "pipe", "pipe"],
      // In its own process group: Ctrl-C while pg_ctl stops the server must not stop pg_ctl.
      detached: true,
      ...runAs(user),
    });
    let output = "";
    child.stdout.on("data", (piece: Buffer) => (output += piece));
    child.stderr.on("data", (piece: Buffer) => (output += piece));
    child.on("error", reject);
    child.on("close", (exit_code) => resolve({ exit_code, output }));
  });
}
