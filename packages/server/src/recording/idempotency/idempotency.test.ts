import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { isReplayed, keyedRequests } from "./keyed.fixtures.js";
import { kept_bytes_max } from "./keyed.js";

const service = await startService();
const { api, page, clock, context, project, anotherProject } = service;
const { aVoucher, aKey, post, redeem, redeemedTimes } = keyedRequests(service);

describe("a request that is sent again with its key", () => {
  test("is answered as the first was, and done once", async () => {
    const [key, code] = [aKey(), await aVoucher()];
    const first = await redeem(key, code);
    const again = await redeem(key, code);
    expect(first.status).toBe(200);
    expect(isReplayed(first)).toBe(false);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(isReplayed(again)).toBe(true);
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await redeemedTimes(code)).toBe(1);
  });

  test("is answered so also where it could not be done any more", async () => {
    const key = aKey();
    const code = `ONCE-${key}`;
    const create = () => post(key, `/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 100 } });
    const first = await create();
    expect(first.status).toBe(200);
    expect(await create()).toMatchObject({ status: 200, body: first.body });
    await api.delete(`/v1/vouchers/${code}?force=true`, 204);
    expect(await create()).toMatchObject({ status: 200, body: first.body });
    await api.get(`/v1/vouchers/${code}`, 404);
  });

  test("is refused as the first was, when that was refused by a decision, even if it would not be any more", async () => {
    const [key, code] = [aKey(), await aVoucher(1)];
    const { body } = await redeem(aKey(), code);
    const first = await redeem(key, code);
    expect(first).toMatchObject({ status: 400, body: { key: "quantity_exceeded" } });
    await api.post(`/v1/redemptions/${body.redemptions[0].id}/rollback`, {}, 200);
    const again = await redeem(key, code);
    expect(again).toMatchObject({ status: 400, body: first.body });
    expect(isReplayed(again)).toBe(true);
    expect((await redeem(aKey(), code)).status).toBe(200);
  });

  test("is refused as the first was, when that found nothing to do it on", async () => {
    const key = aKey();
    const path = `/v1/vouchers/LATER-${key}/enable`;
    const first = await post(key, path, {});
    expect(first.status).toBe(404);
    await api.post(`/v1/vouchers/LATER-${key}`, { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
    expect(await post(key, path, {})).toMatchObject({ status: 404, body: first.body });
    expect((await post(aKey(), path, {})).status).toBe(200);
  });

  test.each([
    ["a body that no schema lets through", "/v1/redemptions", { redeemables: [] }, 400],
    ["an unknown path", "/v1/redemption", {}, 404],
  ])("is looked at anew after %s", async (_, path, body, status) => {
    const [key, code] = [aKey(), await aVoucher()];
    expect((await post(key, path, body)).status).toBe(status);
    expect((await redeem(key, code)).status).toBe(200);
  });

  test("is looked at anew after it was not let in", async () => {
    const [key, code] = [aKey(), await aVoucher()];
    const redeemables = [{ object: "voucher", id: code }];
    const stranger = { "x-app-token": "not-the-token", "content-type": "application/json", "idempotency-key": key };
    await api.send("POST", "/v1/redemptions", { raw: JSON.stringify({ redeemables }), headers: stranger, status: 401 });
    expect((await redeem(key, code)).status).toBe(200);
  });

  test.each([
    ["body", (key: string, code: string) => redeem(key, code, { amount: 600 })],
    ["path", (key: string, code: string) => post(key, `/v1/vouchers/${code}/redemption`, { order: { amount: 500 } })],
    [
      "query",
      (key: string, code: string) =>
        post(key, "/v1/redemptions?x=1", { redeemables: [{ object: "voucher", id: code }], order: { amount: 500 } }),
    ],
  ])("with another %s is refused, and nothing is done", async (_, another) => {
    const [key, code] = [aKey(), await aVoucher()];
    await redeem(key, code);
    const refused = await another(key, code);
    expect(refused).toMatchObject({ status: 422, body: { code: 422, key: "idempotency_key_reused" } });
    expect(isReplayed(refused)).toBe(false);
    expect(await redeemedTimes(code)).toBe(1);
  });

  test("is done again a day later, and one instant before that it is not", async () => {
    const apart = await anotherProject();
    const discount = { type: "AMOUNT", amount_off: 100 };
    await apart.api.post("/v1/vouchers/DAILY", { discount }, 200);
    await redeem("daily", "DAILY", undefined, apart.api);
    const before = clock.now();
    try {
      clock.advance({ hours: 24, ms: -1 });
      expect(isReplayed(await redeem("daily", "DAILY", undefined, apart.api))).toBe(true);
      clock.advance({ ms: 1 });
      expect(isReplayed(await redeem("daily", "DAILY", undefined, apart.api))).toBe(false);
      expect(isReplayed(await redeem("daily", "DAILY", undefined, apart.api))).toBe(true);
      expect(await redeemedTimes("DAILY", apart.api)).toBe(2);
    } finally {
      clock.set(new Date(before).toISOString());
    }
  });

  test("learns that it was done where the answer was larger than what is kept", async () => {
    const key = aKey();
    const metadata = { text: "z".repeat(60_000) };
    const line = { quantity: 1, price: 1, metadata };
    const order = {
      source_id: key,
      items: Array.from({ length: 16 }, (_, i) => ({ ...line, source_id: `${key}-${i}` })),
    };
    const code = await aVoucher();
    const first = await redeem(key, code, order);
    expect(first.status).toBe(200);
    expect(JSON.stringify(first.body).length).toBeGreaterThan(kept_bytes_max);
    const again = await redeem(key, code, order);
    expect(again).toMatchObject({ status: 422, body: { key: "idempotent_answer_too_large" } });
    expect(again.body.details).toMatch(/done and answered with status 200/);
    expect(isReplayed(again)).toBe(true);
    expect(await redeemedTimes(code)).toBe(1);
  });
});

describe("a key", () => {
  test.each([
    ["empty", ""],
    ["of 256 characters", "k".repeat(256)],
    ["with a character that is not ASCII", "kéy"],
  ])("%s is refused by the header's name", async (_, key) => {
    const { status, body } = await redeem(key, await aVoucher());
    expect(status).toBe(400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringMatching(/^Header idempotency-key /) });
  });

  test.each(["k".repeat(255), "a key, with {signs} ~", "x"])("may be %s", async (text) => {
    const code = await aVoucher();
    expect((await redeem(text, code)).status).toBe(200);
    expect(isReplayed(await redeem(text, code))).toBe(true);
  });

  test("is a project's own", async () => {
    const [key, code, other] = [aKey(), await aVoucher(), await anotherProject()];
    await other.api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
    const first = await redeem(key, code);
    const elsewhere = await redeem(key, code, undefined, other.api);
    expect(isReplayed(elsewhere)).toBe(false);
    expect(elsewhere.body.redemptions[0].id).not.toBe(first.body.redemptions[0].id);
  });

  test("of a shop's server says nothing to its pages", async () => {
    const [key, code] = [aKey(), await aVoucher()];
    const body = {
      redeemables: [{ object: "voucher", id: code }],
      order: { amount: 500 },
      customer: { source_id: "ann" },
    };
    await post(key, "/v1/redemptions", body);
    const of_page = await post(key, "/client/v1/redemptions", body, page);
    expect(of_page.status).toBe(200);
    expect(isReplayed(of_page)).toBe(false);
    expect(await post(key, "/client/v1/redemptions", body, page)).toMatchObject({ status: 200, body: of_page.body });
  });

  test("may be sent by pages, which may read that an answer is replayed", async () => {
    const headers = { "access-control-request-method": "POST", origin: "https://shop.example" };
    const asked = await page.send("OPTIONS", "/client/v1/redemptions", { headers, status: 204 });
    expect(asked.headers.get("access-control-allow-headers")).toMatch(/idempotency-key/i);
    const answered = await page.post("/client/v1/validations", { redeemables: [{ object: "voucher", id: "x" }] }, 200);
    expect(answered.headers.get("access-control-expose-headers")).toMatch(/idempotent-replayed/i);
  });

  test("of an answer that shows a secret keeps it sealed", async () => {
    const key = aKey();
    const raw = "grant_type=client_credentials&scope=api";
    const headers = { "content-type": "application/x-www-form-urlencoded", "idempotency-key": key };
    const first = await api.send("POST", "/v1/oauth/token", { raw, headers, status: 200 });
    const again = await api.send("POST", "/v1/oauth/token", { raw, headers, status: 200 });
    expect(again.body).toEqual(first.body);
    const { body } = await context.db.one<{ body: string }>(sql`
      select kept_answers.body from kept_answers where kept_answers.project_id = ${project.id} and kept_answers.key = ${key}`);
    expect(body).not.toContain(first.body.access_token);
    expect(Buffer.from(body, "base64").toString()).not.toContain(first.body.access_token);
  });
});
