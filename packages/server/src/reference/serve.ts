import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../platform/http/app.js";
import { madePage, type PageFile, sendPage } from "../platform/http/pages/index.js";
import { package_folder } from "../platform/package-folder.js";
import type { Described } from "./described.js";
import { referencePage } from "./page.js";

const folder = join(package_folder, "reference");

/**
 * `/docs`: every operation, and a way to try it. The page names all operations when it comes, and a shape is drawn when it is opened: the
 * components that draw everything first took 6 s (Swagger) and 12 s (Scalar 1.46, which also asks its maker's servers), this takes 0.2.
 */
export function serveReference(app: App): void {
  const files = new Map<string, Promise<PageFile>>();
  // As it is committed, which a test holds against the routes: an application that describes itself needs a second for it.
  const readDocument = () => readFile(join(package_folder, "openapi.json"), "utf8");
  const made = {
    "page.css": () => readFile(join(folder, "page.css"), "utf8"),
    "page.js": () => readFile(join(folder, "page.js"), "utf8"),
    "index.html": async () => referencePage(JSON.parse(await readDocument()) as Described),
    "openapi.json": readDocument,
  };
  const config = { credentials: "none", any_accept: true, cors: false } as const;
  const serve = (path: string, name: keyof typeof made) =>
    app.get(path, { config, schema: { hide: true } }, async (request, reply) => {
      const file = files.get(name) ?? made[name]().then((text) => madePage(name, text));
      files.set(name, file);
      return sendPage(request, reply, await file, "no-cache");
    });
  serve("/docs", "index.html");
  serve("/docs/page.css", "page.css");
  serve("/docs/page.js", "page.js");
  serve("/openapi.json", "openapi.json");
}
