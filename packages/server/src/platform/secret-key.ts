import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The key that seals stored secrets: made once in the data folder, readable by its owner alone. 32 bytes. */
export async function readSecretKey(data_dir: string): Promise<Buffer> {
  const file = join(data_dir, "secret.key");
  await mkdir(data_dir, { recursive: true });
  const known = await keyIn(file);
  if (known) return known;
  // Written whole and then linked into place: of two processes that start at once both read one key.
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, randomBytes(32).toString("hex"), { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await unlink(draft);
  const made = await keyIn(file);
  if (!made) throw new Error(`${file} cannot be read back`);
  return made;
}

async function keyIn(file: string): Promise<Buffer | undefined> {
  try {
    return Buffer.from((await readFile(file, "utf8")).trim(), "hex");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
