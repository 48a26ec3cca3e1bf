import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Binaries } from "./binaries.js";
import { exists, type Folder, insideHome, newPassword, passageMode, syncToDisk } from "./folder.js";
import { oneLine, StartRefused } from "./refused.js";
import { run, type ServerUser } from "./run.js";
import { reachableName } from "./server-user.js";

/** Name of the role that owns everything; the database has the same name. */
export const role = "guerdon";

/** Makes the database files unless they are there, and refuses those of another major version. */
export async function ensureCluster(
  folder: Folder,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<"made" | "found"> {
  const found = await exists(folder.home);
  if (!found) await makeCluster(folder, binaries, user);

  const major = await readFile(join(folder.cluster, "PG_VERSION"), "utf8").catch(() => {
    throw new StartRefused(
      `${folder.home} is there but holds no database. Restore it, or move it away for an empty one.`,
    );
  });
  if (major.trim() !== String(binaries.major)) {
    throw new StartRefused(
      `The database in ${folder.home} was made by PostgreSQL ${major.trim()}, and this Guerdon brings PostgreSQL ${binaries.major}. ` +
        "Start the Guerdon that made it, dump with pg_dump, and restore into an empty data folder.",
    );
  }
  return found ? "found" : "made";
}

/** An initdb that is interrupted leaves a draft behind, never half a database. */
async function makeCluster(folder: Folder, binaries: Binaries, user: ServerUser | undefined): Promise<void> {
  const draft = insideHome(await mkdtemp(`${folder.home}.new-`));
  try {
    await chmod(draft.home, passageMode(user));
    await mkdir(draft.cluster, { mode: 0o700 });
    // Created before anything is written, so that the password is at no moment readable to others.
    await writeFile(draft.password_file, `${newPassword()}\n`, { mode: 0o600, flag: "wx", flush: true });
    if (user) {
      await chown(draft.cluster, user.uid, user.gid);
      await chown(draft.password_file, user.uid, user.gid);
    }
    await initialise(draft, binaries, user);
    await syncToDisk(draft.home);
    await rename(draft.home, folder.home);
    await syncToDisk(folder.data_dir);
  } catch (error) {
    await rm(draft.home, { recursive: true, force: true });
    // A second process on the same empty folder was faster. Its database is as good as ours.
    if (!(await exists(folder.home))) throw error;
  }
}

async function initialise(
  draft: Omit<Folder, "data_dir">,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  const { exit_code, output } = await run(
    binaries.initdb,
    [
      `--pgdata=${await reachableName(draft.cluster, user)}`,
      `--username=${role}`,
      // Relative to the cluster, where the command runs: its absolute path may be closed to the user.
      `--pwfile=../${basename(draft.password_file)}`,
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--auth=scram-sha-256",
    ],
    { cwd: draft.cluster, user },
  );
  if (exit_code === 0) return;
  const reason = output.split("\n").find((line) => /error|fatal|could not/i.test(line)) ?? output.trim().slice(-200);
  // A container that runs under a bare number; initdb insists on a name.
  const help = reason.includes("user does not exist")
    ? " Give this user a line in /etc/passwd, or set DATABASE_URL to a PostgreSQL of yours."
    : "";
  throw new StartRefused(`No database could be made in ${dirname(draft.home)} (${oneLine(reason)}).${help}`);
}

/** What interrupted starts left behind. Only for the owner: before, it might belong to a start under way. */
export async function removeDrafts({ data_dir, home }: Folder): Promise<void> {
  for (const name of await readdir(data_dir)) {
    if (!name.startsWith(`${basename(home)}.new-`)) continue;
    // The initdb of a killed parent can still be writing; what then remains goes at the next start.
    await rm(join(data_dir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
