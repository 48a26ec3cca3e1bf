import { describe, expect, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";

const { api, url } = await startService();
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
    expect(Buffer.from(await image.arrayBuffer()).readUInt32BE(16)).toBeLessThanOrEqual(1000);
    await anybody.get(`${pathOf(body.assets.qr)}?format=svg&size=1`, 200);
  }
});

test("a code that Code 128 has no signs for has no barcode", async () => {
  const { body } = await api.post("/v1/vouchers", { code: "☂".repeat(200), gift: { amount: 1 } }, 200);
  await anybody.get(pathOf(body.assets.barcode), 404);
});
