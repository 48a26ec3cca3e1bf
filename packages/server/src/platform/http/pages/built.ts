import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** A file as it goes out, in every form that it was stored in. */
export interface PageFile {
  type: string;
  etag: string;
  plain: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
}

/** What a build of the dashboard left. */
export interface BuiltPages {
  index: PageFile;
  /** By name. */
  assets: ReadonlyMap<string, PageFile>;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Reads all of a build, once: no request's path ever reaches the disk. Null: there is none. */
export async function readBuiltPages(folder: string): Promise<BuiltPages | null> {
  const names = await readdir(join(folder, "assets")).catch(() => []);
  const index = await readPage(folder, "index.html");
  if (!index) return null;
  const served = names.filter((name) => extname(name) in types);
  const files = await Promise.all(served.map((name) => readPage(join(folder, "assets"), name)));
  return {
    index,
    assets: new Map(served.flatMap((name, i) => (files[i] ? [[name, files[i]] as const] : []))),
  };
}

async function readPage(folder: string, name: string): Promise<PageFile | undefined> {
  const read = (ending: string) => readFile(join(folder, name + ending)).catch(() => undefined);
  const [plain, br, gzip] = await Promise.all([read(""), read(".br"), read(".gz")]);
  if (!plain) return undefined;
  return { type: types[extname(name)] ?? "application/octet-stream", etag: etagOf(plain), plain, br, gzip };
}

/** Weak: the same page, however it is packed. */
const etagOf = (plain: Buffer) => `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;

const packed = promisify(gzip);

/** A file that no build has left, but this process has made. */
export async function madePage(name: string, text: string): Promise<PageFile> {
  const plain = Buffer.from(text);
  const type = types[extname(name)] ?? "application/json; charset=utf-8";
  return { type, etag: etagOf(plain), plain, br: undefined, gzip: await packed(plain) };
}
