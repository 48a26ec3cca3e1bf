import sdk from "@voucherify/sdk";
import { describe, expect, test } from "vitest";
import { path_words } from "../src/path-words.js";
import { operationsOf } from "./harness/document.js";
import { head, sendRaw } from "./harness/raw-http.js";
import { startService } from "./harness/service.js";

const { url, api, project } = await startService();
const operations = operationsOf((await api.get("/openapi.json", 200)).body);
const keys = { "x-app-id": project.app_id, "x-app-token": project.app_token };
const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"];

const segmentsOf = (path: string) => path.split("/").slice(1);
const isId = (segment: string | undefined) => segment?.startsWith("{") ?? false;
/** The path before a segment, with `*` for ids. */
const prefixOf = (segments: string[], i: number) =>
  segments
    .slice(0, i)
    .map((segment) => `/${isId(segment) ? "*" : segment}`)
    .join("");

/** Every path of ours with an id where the contract has words, with each of the words in its place. */
const taken = operations
  .map(({ path }) => segmentsOf(path))
  .flatMap((segments) =>
    segments.flatMap((segment, i) =>
      isId(segment)
        ? (path_words[prefixOf(segments, i)] ?? []).map((word) =>
            ["", ...segments.with(i, word).map((one) => (isId(one) ? "some-id" : one))].join("/"),
          )
        : [],
    ),
  );
const table = [...new Set(taken)].flatMap((path) => methods.map((method) => ({ method, path })));

/** Whether an operation of ours is at this very path, with its ids where no words are. */
const serves = (method: string, path: string) =>
  operations.some((operation) => {
    const wanted = segmentsOf(operation.path);
    const segments = segmentsOf(path);
    const fits = (segment: string, i: number) =>
      isId(segment) ? !path_words[prefixOf(wanted, i)]?.includes(segments[i] ?? "") : segment === segments[i];
    const has_method = operation.method === method || (method === "HEAD" && operation.method === "GET");
    return has_method && wanted.length === segments.length && wanted.every(fits);
  });

describe("a word of the contract where ids stand", () => {
  test("names nothing, whatever is stored under it", async () => {
    await api.post("/v1/vouchers", { code: "bulk", discount: { type: "UNIT", unit_off: 1 } }, 400);
    await api.post("/v1/vouchers", { code: "bulk", discount: { type: "AMOUNT", amount_off: 100 } }, 200);
    await api.post("/v1/customers", { source_id: "bulk" }, 200);
    await api.post("/v1/products", { source_id: "metadata" }, 200);
    await api.post("/v1/campaigns", { name: "qualification", campaign_type: "PROMOTION" }, 200);
    for (const path of ["vouchers/bulk", "customers/bulk", "products/metadata"]) await api.get(`/v1/${path}`, 404);
    // There is an operation, with another method.
    await api.get("/v1/campaigns/qualification", 405);
    // What is named in a body is no path.
    await api.post(
      "/v1/redemptions",
      { redeemables: [{ object: "voucher", id: "bulk" }], order: { amount: 500 } },
      200,
    );
  });

  test("is in our list wherever our own operations have one", () => {
    const ids_after = new Set(
      operations.flatMap(({ path }) =>
        segmentsOf(path).flatMap((one, i, all) => (isId(one) ? [prefixOf(all, i)] : [])),
      ),
    );
    const missing = operations
      .flatMap(({ path }) => segmentsOf(path).map((word, i, all) => ({ word, prefix: prefixOf(all, i) })))
      .filter(({ word, prefix }) => !isId(word) && ids_after.has(prefix) && !path_words[prefix]?.includes(word));
    expect(missing).toEqual([]);
  });

  test("the table has words at every resource that has both", () => {
    expect(table.length).toBeGreaterThan(300);
  });

  test.each(table.filter(({ method, path }) => !serves(method, path)))(
    "$method $path is nobody's",
    async ({ method, path }) => {
      const raw = ["GET", "HEAD"].includes(method) ? undefined : "{}";
      const { status, body, headers } = await api.send(method, path, raw === undefined ? {} : { raw });
      expect([404, 405]).toContain(status);
      if (method === "HEAD") return;
      // Said of the path, not of something that was looked for in the database.
      if (status === 404) expect(body).toMatchObject({ details: `Cannot find ${method} ${path}` });
      else expect(headers.get("allow")).not.toBe("");
    },
  );

  test("is one as well when it comes percent-encoded, with slashes or without keys", async () => {
    const before = (await api.get("/v1/vouchers", 200)).body.total;
    for (const path of ["/v1/vouchers/met%61data", "/v1//vouchers/metadata", "/v1/vouchers/metadata/"]) {
      await api.post(path, { discount: { type: "AMOUNT", amount_off: 100 } }, 404);
      await api.send("PATCH", path, { status: 404 });
    }
    const { status } = await sendRaw(url, [head("POST", "/v1/vouchers/metadata", {})]);
    expect(status).toBe(404);
    expect((await api.get("/v1/vouchers", 200)).body.total).toBe(before);
  });

  test("does not reserve other spellings, nor other places", async () => {
    for (const code of ["importcsv", "imports", "import/x"]) {
      const path = `/v1/vouchers/${encodeURIComponent(code)}`;
      await api.post(path, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
      expect((await api.get(path, 200)).body.code).toBe(code);
    }
  });
});

describe("a trailing slash", () => {
  const amount = { discount: { type: "AMOUNT", amount_off: 100 } };

  test("means the collection: no code is the empty one", async () => {
    for (const path of ["/v1/vouchers/", "/v1/vouchers//", "/v1//vouchers/"]) {
      const { body } = await api.post(path, amount, 200);
      expect(body.code).toMatch(/^\w{8}$/);
    }
    const { body } = await api.post("/v1/customers/", { source_id: "trailing" }, 200);
    expect((await api.get(`/v1/customers/${body.id}/`, 200)).body.source_id).toBe("trailing");
    expect((await api.get("/v1/customers/?limit=1", 200)).body.data_ref).toBe("customers");
  });

  test.each(operations.filter(({ path }) => !path.includes("{")).map(({ method, path }) => ({ method, path })))(
    "$method $path/ is $method $path",
    async ({ method, path }) => {
      // Of anybody who shows no key, so that nothing is done.
      const [plain, slashed] = await Promise.all(
        [path, `${path}/`].map((one) => sendRaw(url, [head(method, one, { "content-length": "0" })])),
      );
      expect(slashed?.status).toBe(plain?.status);
      expect(slashed?.status).not.toBe(404);
      expect(slashed?.status).not.toBe(405);
    },
  );

  test("is part of an id only where it is encoded", async () => {
    for (const code of ["a/", "/a", "a//b", "%2F", "a%2Fb", "%252F", "50%"]) {
      const path = `/v1/vouchers/${encodeURIComponent(code)}`;
      expect((await api.post(path, amount, 200)).body.code).toBe(code);
      for (const one of [path, `${path}/`]) expect((await api.get(one, 200)).body.code).toBe(code);
      await api.post(`${path}/redemption/`, { order: { amount: 1000 } }, 200);
    }
  });

  test("does not change the query behind it", async () => {
    const name = "a//b/";
    await api.post("/v1/customers", { source_id: "with-slashes", name }, 200);
    const { body } = await api.get(`/v1/customers/?name=${name}`, 200);
    expect(body.customers.map((customer: { name: string }) => customer.name)).toEqual([name]);
  });
});

test.each([
  ["POST", "/v1/vouchers//redemption"],
  ["POST", "/v1//vouchers//redemption"],
  ["GET", "/v1/vouchers//redemption"],
  ["DELETE", "/v1/campaigns//vouchers"],
  ["POST", "/v1/campaigns//vouchers/"],
  ["PUT", "//v1/loyalties//earning-rules"],
])("%s %s had an empty id: 404, and the word behind it is none", async (method, path) => {
  const { status, text } = await sendRaw(url, [
    head(method, path, { ...keys, "content-type": "application/json", "content-length": "2" }),
    "{}",
  ]);
  expect({ status, key: JSON.parse(text).key }).toEqual({ status: 404, key: "not_found" });
});

describe("the public client", () => {
  const client = sdk.VoucherifyServerSide({
    apiUrl: url,
    applicationId: project.app_id,
    secretKey: project.app_token,
    exposeErrorCause: true,
  });

  test("makes a random code by leaving the code out", async () => {
    const made = await client.vouchers.create({
      type: "DISCOUNT_VOUCHER",
      discount: { type: "AMOUNT", amount_off: 100 },
    } as Parameters<typeof client.vouchers.create>[0]);
    expect(made.code).toMatch(/^\w{8}$/);
  });

  test("finds a code with a slash, and imports codes, though `import` is none", async () => {
    const code = "SPRING/25 %";
    await client.vouchers.create({
      code,
      type: "DISCOUNT_VOUCHER",
      discount: { type: "AMOUNT", amount_off: 100 },
    } as Parameters<typeof client.vouchers.create>[0]);
    expect((await client.vouchers.get(code)).code).toBe(code);
    const started = await client.vouchers.import([{ code: "X", category: "c" } as never]);
    expect(started).toEqual({ async_action_id: expect.any(String) });
    await expect(client.vouchers.get("import")).rejects.toMatchObject({ code: 405 });
  });
});
