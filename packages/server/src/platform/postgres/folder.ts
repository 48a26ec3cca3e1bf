import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ServerUser } from "./run.js";

/** Where things lie in the data folder. */
export interface Folder {
  data_dir: string;
  /** All that is the database's. It appears complete, by one rename, or not at all. */
  home: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  password_file: string;
  port_file: string;
  log_file: string;
}

export function folderAt(data_dir: string): Folder {
  const home = join(resolve(data_dir), "postgres");
  return { data_dir: resolve(data_dir), ...insideHome(home) };
}

/** The same tree under another name, for a cluster in the making. */
export function insideHome(home: string): Omit<Folder, "data_dir"> {
  return {
    home,
    cluster: join(home, "cluster"),
    password_file: join(home, "password"),
    port_file: join(home, "port"),
    log_file: join(home, "server.log"),
  };
}

/** Makes the data folder unless it is there. What others put into it is protected by this mode alone. */
export async function makeDataDir({ data_dir }: Folder, user: ServerUser | undefined): Promise<void> {
  const made = await mkdir(data_dir, { recursive: true });
  // Another user must be able to pass through, though not to look around. A folder that was here already
  // keeps its mode: somebody chose it.
  if (made) await chmod(data_dir, passageMode(user));
}

/** The mode of a folder that the server's user passes through to reach its own. */
export const passageMode = (user: ServerUser | undefined) => (user ? 0o711 : 0o700);

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}

/** 192 random bits in letters that need no escaping in a URL. */
export const newPassword = () => randomBytes(24).toString("base64url");

export const readPassword = async (folder: Folder) => (await readFile(folder.password_file, "utf8")).trim();

/** The port of the last start: tried first, so that what an operator noted stays true. */
export async function recordedPort(folder: Folder): Promise<number | undefined> {
  const text = await readFile(folder.port_file, "utf8").catch(() => "");
  return portIn(text);
}

export async function recordPort(folder: Folder, port: number, user: ServerUser | undefined): Promise<void> {
  const file = await openForUser(folder.port_file, constants.O_TRUNC, user);
  try {
    await file.writeFile(`${port}\n`);
  } finally {
    await file.close();
  }
}

/**
 * Opens a file of the home for writing. It belongs to the server's user, who may be the one to start Guerdon
 * the next time. As root we follow no link there: the folder can be that user's, who could point it anywhere.
 */
export async function openForUser(path: string, how: number, user: ServerUser | undefined): Promise<FileHandle> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | how, 0o600);
  if (user) await file.chown(user.uid, user.gid);
  return file;
}

/** What the server noted about itself. It may have died since, and its process id may be another's by now. */
export async function serverNote(folder: Folder): Promise<{ pid: number | undefined; port: number | undefined }> {
  const text = await readFile(join(folder.cluster, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  return { pid: Number.isInteger(pid) && pid > 0 ? pid : undefined, port: portIn(lines[3] ?? "") };
}

function portIn(text: string): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** Writes to disk what was created or renamed in a folder. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
