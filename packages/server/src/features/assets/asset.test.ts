import { describe, expect, test } from "vitest";
import { by_the_clock } from "../../../test/harness/by-the-clock.js";
import { createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { drawings_per_address } from "./asset.routes.js";

const { api, url, context, clock, anotherProject } = await startService();
const anybody = createClient(url);

const { body: voucher } = await api.post("/v1/vouchers/SCAN-ME", { gift: { amount: 100 } }, 200);
const pathOf = (asset: { url: string }) => asset.url.slice(url.length);

describe.each(["qr", "barcode"] as const)("the %s image of a code", (kind) => {
  const path = pathOf(voucher.assets[kind]);

  test("is a PNG that anybody may load, larger the larger the size", async () => {
    const small = await fetch(`${url}${path}?size=5`);
    expect(small.status).toBe(200);
    expect(small.headers.get("content-type")).toBe("image/png");
    const large = await fetch(`${url}${path}?size=50`);
    const width = async (response: Response) => Buffer.from(await response.arrayBuffer()).readUInt32BE(16);
    expect(await width(large)).toBeGreaterThan(await width(small));
  });

  test("is an SVG on request, the same every time", async () => {
    const first = await anybody.get(`${path}?format=svg`, 200);
    expect(first.headers.get("content-type")).toBe("image/svg+xml");
    expect(first.body).toMatch(/^<svg/);
    expect((await anybody.get(`${path}?format=svg&size=10`, 200)).body).toBe(first.body);
  });

  test("is shown to a browser that asks for images only", async () => {
    await anybody.send("GET", path, { headers: { accept: "image/avif,image/webp" }, status: 200 });
  });

  test("is kept by whoever loads it, and not sent again to whoever has it", async () => {
    const first = await fetch(`${url}${path}?size=7`);
    const { etag = "", "cache-control": kept } = Object.fromEntries(first.headers);
    expect(kept).toBe("public, max-age=604800");
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await fetch(`${url}${path}?size=7`, { headers: { "if-none-match": known } });
      expect({ status: again.status, etag: again.headers.get("etag") }).toEqual({ status: 304, etag });
      expect(await again.text()).toBe("");
    }
    const others = ["?size=8", "?size=7&format=svg"].map((query) =>
      fetch(`${url}${path}${query}`, { headers: { "if-none-match": etag } }),
    );
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test.each(["size=0", "size=101", "size=big", "format=gif"])("is not drawn with %s", async (query) => {
    expect((await anybody.get(`${path}?${query}`, 400)).body.key).toBe("invalid_query_params");
  });

  test.each(["SCAN-ME", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "a", "%20"])("does not exist under the id %s", async (id) => {
    const { body } = await anybody.get(`/v1/assets/${kind}/${id}`, 404);
    expect(body).toMatchObject({ code: 404, key: "not_found" });
  });
});

test("codes of any length and script have a QR image of bounded size", async () => {
  for (const code of ["x".repeat(255), "łódź ☂ 𝒳", "ę".repeat(255), "50% ^065 (01)"]) {
    const { body } = await api.post("/v1/vouchers", { code, gift: { amount: 1 } }, 200);
    const image = await fetch(`${url}${pathOf(body.assets.qr)}?size=100`);
    expect(image.status).toBe(200);
    expect(Buffer.from(await image.arrayBuffer()).readUInt32BE(16)).toBeLessThanOrEqual(600);
    await anybody.get(`${pathOf(body.assets.qr)}?format=svg&size=1`, 200);
  }
});

test("a code that Code 128 has no signs for has no barcode", async () => {
  const { body } = await api.post("/v1/vouchers", { code: "☂".repeat(200), gift: { amount: 1 } }, 200);
  await anybody.get(pathOf(body.assets.barcode), 404);
});

test("the same code of another project has another id, and none of them says the code", async () => {
  const { api: other } = await anotherProject();
  const { body } = await other.post("/v1/vouchers/SCAN-ME", { gift: { amount: 100 } }, 200);
  expect(body.assets.qr.id).not.toBe(voucher.assets.qr.id);
  expect(Buffer.from(body.assets.qr.id, "base64url").toString()).not.toContain("SCAN-ME");
  await anybody.get(pathOf(body.assets.qr), 200);
});

test("an id that was made before ids were a project's own still shows its code", async () => {
  const old = await fetch(`${url}/v1/assets/qr/${context.seal.token("assets", "SCAN-ME")}?format=svg`);
  const now = await fetch(`${url}${pathOf(voucher.assets.qr)}?format=svg`);
  expect(await old.text()).toBe(await now.text());
});

/** No size is drawn twice: the second time it would only be shown. */
let size = 70;

test("images are drawn while other requests go on", by_the_clock, async () => {
  const { body } = await api.post("/v1/vouchers", { code: "y".repeat(255), gift: { amount: 1 } }, 200);
  await fetch(`${url}${pathOf(body.assets.qr)}`);
  const thread_ms: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const drawn = Array.from({ length: 3 }, () => `${pathOf(body.assets.qr)}?size=${size++}`);
    const before = performance.eventLoopUtilization();
    const statuses = (await Promise.all(drawn.map((path) => fetch(url + path)))).map(({ status }) => status);
    thread_ms.push(performance.eventLoopUtilization(before).active / drawn.length);
    expect(statuses).toEqual(drawn.map(() => 200));
  }
  // Drawn on this thread each took 67 to 333 ms of it; a turn counts as long even while the machine runs something else.
  expect(Math.min(...thread_ms)).toBeLessThan(40);
});

test("one address has so many images drawn at a time; those that are kept are shown all the same", async () => {
  const { calls_max, window_ms } = drawings_per_address;
  clock.advance({ ms: window_ms });
  const paths = Array.from({ length: calls_max }, (_, i) =>
    [1, 2].map((n) => `/v1/assets/qr/${idOf(i * 2 + n)}?size=1`),
  );
  const answers: Response[] = [];
  for (const path of paths.flat().slice(0, calls_max + 1)) answers.push(await fetch(url + path));
  const refused = answers.pop();
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect({ status: refused?.status, after: refused?.headers.get("retry-after") }).toEqual({ status: 429, after: "10" });
  expect((await fetch(`${url}/v1/assets/qr/${idOf(1)}?size=1`)).status).toBe(200);
  clock.advance({ ms: window_ms });
});

const idOf = (i: number) => context.seal.token("assets", `CODE-${i}`);
