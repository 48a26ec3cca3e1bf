import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { exists, type Folder } from "./folder.js";
import { oneLine, StartRefused } from "./refused.js";
import { run, type ServerUser } from "./run.js";

/** Undefined: the server runs as we do. No user is created. */
export async function serverUser(folder: Folder): Promise<ServerUser | undefined> {
  const own_uid = process.getuid?.();
  const users = await knownUsers();
  const owner = (await exists(folder.cluster)) ? await stat(folder.cluster) : undefined;
  if (own_uid !== 0) {
    if (!owner || owner.uid === own_uid) return undefined;
    const name = users.find(({ uid }) => uid === owner.uid)?.name ?? `number ${owner.uid}`;
    throw new StartRefused(
      `The database in ${folder.home} belongs to the user ${name}. Start Guerdon as that user, or give the folder to yours with chown -R.`,
    );
  }

  const user = userForRoot(folder, users, owner);
  const { exit_code, output } = await run("/bin/sh", ["-c", "exit 0"], { cwd: "/", user });
  if (exit_code === 0) return user;
  throw new StartRefused(
    `Root may not become the user ${user.name} here (${oneLine(output)}), as which PostgreSQL runs on ${folder.data_dir}. ` +
      "Leave the container the capabilities SETUID and SETGID, or start Guerdon as an ordinary user.",
  );
}

function userForRoot(folder: Folder, users: ServerUser[], owner: Stats | undefined): ServerUser {
  const chosen = users.find(({ name }) => name === "postgres") ?? users.find(({ name }) => name === "nobody");
  if (!chosen) {
    throw new StartRefused(
      `PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody for ${folder.data_dir}. Start Guerdon as another user.`,
    );
  }
  if (!owner) return chosen;
  if (owner.uid === 0) {
    throw new StartRefused(
      `The database in ${folder.home} belongs to root, as which PostgreSQL does not run. Restored from a copy? Run: chown -R ${chosen.name} '${folder.cluster}'`,
    );
  }
  // The files decide, not the list of users: a user postgres may have come with a package since, or
  // Guerdon may have been started as an ordinary user before.
  const known = users.find(({ uid }) => uid === owner.uid);
  return { name: known?.name ?? `number ${owner.uid}`, uid: owner.uid, gid: known?.gid ?? owner.gid };
}

async function knownUsers(): Promise<ServerUser[]> {
  const text = await readFile("/etc/passwd", "utf8").catch(() => "");
  return text
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 4)
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/** Linux's name for a process's own working directory: it leads there without passing through the parents. */
const own_directory = process.platform === "linux" ? "/proc/self/cwd" : null;

/**
 * A name under which the server's user reaches a folder, for a process started with the folder as its
 * working directory. That is its path, unless a parent is closed to the user (root's clone in a folder
 * of mode 700). Root may still start a process *inside*, and under Linux's name for it PostgreSQL does
 * all its work there: measured with initdb, the server and pg_ctl. `-D .` fails, since it is made absolute.
 */
export async function reachableName(
  folder: string,
  user: ServerUser | undefined,
  inside_name: string | null = own_directory,
): Promise<string> {
  if (await reaches(user, folder, "/")) return folder;
  if (inside_name && (await reaches(user, inside_name, folder))) return inside_name;
  const closed = await closedParent(folder, user);
  throw new StartRefused(
    `The user ${user?.name ?? "of this process"}, as which PostgreSQL runs, cannot reach ${folder}: ${closed} is closed to it. ` +
      `Run: chmod a+x '${closed}', or set GUERDON_DATA_DIR to a folder under /var/lib.`,
  );
}

/** Asks as that user instead of reading modes, which know nothing of access lists and read-only mounts. */
async function reaches(user: ServerUser | undefined, path: string, cwd: string): Promise<boolean> {
  const { exit_code } = await run("/bin/sh", ["-c", 'test -w "$0" && test -x "$0"', path], { cwd, user });
  return exit_code === 0;
}

async function closedParent(folder: string, user: ServerUser | undefined): Promise<string> {
  const parents = [];
  for (let parent = dirname(folder); parent !== dirname(parent); parent = dirname(parent)) parents.unshift(parent);
  for (const parent of parents) {
    const { exit_code } = await run("/bin/sh", ["-c", 'test -x "$0"', parent], { cwd: "/", user });
    if (exit_code !== 0) return parent;
  }
  return folder;
}
