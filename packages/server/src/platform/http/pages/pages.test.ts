import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { aContextApart } from "../../../../test/harness/database.js";
import { buildApp } from "../../../app.js";
import { createLog } from "../../log.js";
import { readBuiltPages } from "./index.js";

const index = "<!doctype html><title>Guerdon</title>";
const script = "document.title = 'Guerdon';".repeat(40);

/** A folder as a build leaves it. */
function aBuild(): string {
  const folder = mkdtempSync(join(tmpdir(), "guerdon-pages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), index);
  writeFileSync(join(folder, "built-from.txt"), "secret of the build");
  writeFileSync(join(folder, "assets/main-abc.js"), script);
  writeFileSync(join(folder, "assets/main-abc.js.br"), brotliCompressSync(script));
  return folder;
}

async function aServiceOf(folder: string) {
  const { context } = await aContextApart();
  const pages = await readBuiltPages(folder);
  const app = await buildApp({ ...context, log: createLog("error") }, { check_responses: true, pages });
  onTestFinished(() => app.close());
  return { get: (url: string, headers = {}) => app.inject({ url, headers }), app };
}

test("pages answer on exactly their paths, and every other path stays the API's", async () => {
  const { get, app } = await aServiceOf(aBuild());
  for (const path of ["/", "/sign-in", "/welcome", "/me", "/me/x", "/p/proj_1/vouchers", "/org/members"])
    expect(await get(path), path).toMatchObject({ statusCode: 200, body: index });
  for (const path of ["/sign-in/x", "/people", "/index.html", "/built-from.txt", "/assets/", "/assets/other.js"])
    expect((await get(path)).json(), path).toMatchObject({ code: 404 });
  for (const path of ["/assets/..%2fbuilt-from.txt", "/assets/../built-from.txt", "/p/..%2f..%2fetc/passwd"])
    expect((await get(path)).body, path).not.toMatch(/secret|root:/);
  expect((await get("/v1/vouchers")).statusCode).toBe(401);
  expect(await app.inject({ method: "POST", url: "/sign-in", payload: {} })).toMatchObject({ statusCode: 405 });
  expect((await app.inject({ method: "HEAD", url: "/sign-in" })).statusCode).toBe(200);
});

test("a page lets no other site frame it, runs our scripts alone, and is asked for anew each time", async () => {
  const { get } = await aServiceOf(aBuild());
  const { headers } = await get("/p/proj_1", { accept: "text/html" });
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
  });
  expect(headers["content-security-policy"]).toMatch(/^default-src 'self';.* frame-ancestors 'none'$/);
  expect(headers["access-control-allow-origin"]).toBeUndefined();
  const again = await get("/p/proj_2", { "if-none-match": headers.etag });
  expect(again).toMatchObject({ statusCode: 304, body: "" });
  expect((await get("/p/proj_2", { "if-none-match": 'W/"older"' })).statusCode).toBe(200);
});

test("an asset is kept for ever, and goes out packed to whoever can unpack it", async () => {
  const { get } = await aServiceOf(aBuild());
  const plain = await get("/assets/main-abc.js");
  expect(plain).toMatchObject({ statusCode: 200, body: script });
  expect(plain.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
  const packed = await get("/assets/main-abc.js", { "accept-encoding": "gzip, br;q=0.9" });
  expect(packed.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(script);
  for (const encodings of ["gzip", "br;q=0", "identity"])
    expect((await get("/assets/main-abc.js", { "accept-encoding": encodings })).body, encodings).toBe(script);
});

test("without a build the pages say so in a line, and the API answers all the same", async () => {
  const { get } = await aServiceOf(join(aBuild(), "nothing-here"));
  expect(await get("/")).toMatchObject({ statusCode: 503, body: expect.stringContaining("was not built") });
  expect((await get("/health")).statusCode).toBe(200);
});
