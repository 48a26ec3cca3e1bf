// Makes one file of the service: a process that loads fifteen hundred modules is ready in twice the time (ADR 81). Types are
// looked at elsewhere (`tsc -b`): a start waits for nothing that it does not need.
import { readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { quickFlatMaps } from "./flat-maps.mjs";
import { quickSpreads } from "./spreads.mjs";

const house = fileURLToPath(new URL("../..", import.meta.url));
const server = path.join(house, "packages/server");
const bundle = path.join(server, "bundle");

/** Each is started by its file: the service, and the thread that draws. */
const entries = { main: "src/main.ts", "draw.worker": "src/features/assets/draw.worker.js" };

/** Writes `packages/server/bundle`. Whoever starts meanwhile meets the old files or the new ones, whole. */
export async function buildServer() {
  const fresh = path.join(bundle, `new-${process.pid}`);
  for (const [name, source] of Object.entries(entries)) {
    const build = await rolldown({
      input: { [name]: path.join(server, source) },
      platform: "node",
      plugins: [quickSpreads, quickFlatMaps],
      // A client of C's, which pg asks for where somebody has installed it.
      external: ["pg-native"],
      resolve: {
        alias: { "@guerdon/engine": path.join(house, "packages/engine/src/index.ts") },
        extensionAlias: { ".js": [".ts", ".js"] },
      },
    });
    await build.write({ dir: fresh, format: "esm", codeSplitting: false, entryFileNames: "[name].js" });
    await build.close();
  }
  for (const name of readdirSync(fresh)) renameSync(path.join(fresh, name), path.join(bundle, name));
  rmSync(fresh, { recursive: true });
}

if (process.argv[1] && fileURLToPath(import.meta.url) === path.resolve(process.argv[1])) await buildServer();
