// Builds the dashboard, unless what is there was built from the same sources. A build that fails never stops the API:
// it is told in one line, and what was built before goes, so that nobody looks at old pages unknowingly.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const house = fileURLToPath(new URL("../..", import.meta.url));
const dashboard = path.join(house, "packages/dashboard");
const dist = path.join(dashboard, "dist");
const fresh = path.join(dashboard, "dist-new");
const mark = path.join(dist, "built-from.txt");

/** Everything that a build is made of, as one hash. */
function hashOfSources() {
  const hash = createHash("sha256").update(process.version);
  const add = (file) => hash.update(path.relative(house, file)).update(readFileSync(file));
  const walk = (folder) => {
    for (const name of readdirSync(folder).sort()) {
      const file = path.join(folder, name);
      if (statSync(file).isDirectory()) walk(file);
      else if (!/\.test\.tsx?$|\.d\.ts$/.test(name)) add(file);
    }
  };
  walk(path.join(dashboard, "src"));
  for (const name of ["index.html", "vite.config.ts", "package.json"]) add(path.join(dashboard, name));
  add(path.join(house, "package-lock.json"));
  add(fileURLToPath(import.meta.url));
  return hash.digest("hex");
}

/** Beside each file what browsers unpack by themselves: the service packs nothing. */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) compress(file);
    else if (/\.(js|css|html|svg)$/.test(name)) {
      const plain = readFileSync(file);
      writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
      writeFileSync(`${file}.br`, brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
    }
  }
}

/** Answers whether something was built. */
export async function buildDashboard() {
  const hash = hashOfSources();
  if (existsSync(mark) && readFileSync(mark, "utf8") === hash) return false;
  const { build } = await import("vite");
  const { NODE_ENV } = process.env;
  // A test run has a name of its own there, for which libraries bring what only developers need.
  process.env.NODE_ENV = "production";
  try {
    await build({ root: dashboard, logLevel: "error", build: { outDir: fresh, emptyOutDir: true } });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  compress(fresh);
  writeFileSync(path.join(fresh, "built-from.txt"), hash);
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
  return true;
}

if (process.argv[1] && fileURLToPath(import.meta.url) === path.resolve(process.argv[1])) {
  try {
    await buildDashboard();
  } catch (error) {
    rmSync(dist, { recursive: true, force: true });
    rmSync(fresh, { recursive: true, force: true });
    const [reason] = String(error.message ?? error).split("\n");
    console.error(`The dashboard could not be built, the API starts without it: ${reason}`);
  }
}
