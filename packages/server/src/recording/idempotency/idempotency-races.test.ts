import { describe, expect, test, vi } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { isReplayed, keyedRequests } from "./keyed.fixtures.js";

const service = await startService();
const { api, clock, project } = service;
const { aVoucher, aKey, post, redeem, redeemedTimes } = keyedRequests(service);

describe("many requests at once", () => {
  const rounds = 5;
  test("with one key: one is done, and all others hear of it or that it is under way", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [key, code] = [aKey(), await aVoucher()];
      const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(key, code)));
      const done = answers.filter((answer) => answer.status === 200);
      expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
      for (const { status, body } of answers)
        if (status !== 200) expect({ status, key: body.key }).toEqual({ status: 409, key: "idempotency_key_in_use" });
      expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
      expect(new Set(done.map(({ body }) => body.redemptions[0].id)).size).toBe(1);
      expect(await redeemedTimes(code)).toBe(1);
      expect(isReplayed(await redeem(key, code))).toBe(true);
    }
  });

  test("with one key and an instant of their own each are done once, also within one batch", async () => {
    const [key, code] = [aKey(), await aVoucher()];
    const start = clock.now();
    let ticks = 0;
    // With one instant for all, the table's own key would be a second wall.
    const ticking = vi.spyOn(clock, "now").mockImplementation(() => {
      ticks += 1;
      return start + ticks;
    });
    try {
      await Promise.all(Array.from({ length: 64 }, () => redeem(key, code)));
    } finally {
      ticking.mockRestore();
    }
    expect(await redeemedTimes(code)).toBe(1);
  });

  test("each with a key of its own share their work, a known one among them, and one that is refused", async () => {
    const [known, code, used_up] = [aKey(), await aVoucher(20), await aVoucher(1)];
    const first = await redeem(known, code);
    await redeem(aKey(), used_up);
    const keys = Array.from({ length: 12 }, aKey);
    const [again, another, refused, ...answers] = await Promise.all([
      redeem(known, code),
      redeem(known, code, { amount: 700 }),
      redeem(aKey(), used_up),
      ...keys.map((key) => redeem(key, code)),
      ...keys.map((key) => redeem(key, code)),
    ]);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(another.status).toBe(422);
    expect(refused.body.key).toBe("quantity_exceeded");
    expect(answers.filter((answer) => answer.status === 200 && !isReplayed(answer))).toHaveLength(keys.length);
    expect(await redeemedTimes(code)).toBe(1 + keys.length);
  });

  test("that make one object are told of it, and of no conflict with themselves", async () => {
    const key = aKey();
    const create = () => post(key, `/v1/vouchers/MADE-${key}`, { discount: { type: "AMOUNT", amount_off: 100 } });
    const answers = await Promise.all(Array.from({ length: 16 }, create));
    for (const { status, body } of answers)
      if (status !== 200) expect({ status, key: body.key }).toEqual({ status: 409, key: "idempotency_key_in_use" });
    expect(answers.filter((answer) => answer.status === 200 && !isReplayed(answer))).toHaveLength(1);
  });
});

test("a client that hangs up in the middle learns by its key what became of the request, which was done once", async () => {
  const code = await aVoucher();
  const body = JSON.stringify({ redeemables: [{ object: "voucher", id: code }], order: { amount: 500 } });
  const keys = Array.from({ length: 20 }, aKey);
  for (const [i, key] of keys.entries()) {
    const headers = {
      "x-app-id": project.app_id,
      "x-app-token": project.app_token,
      "content-type": "application/json",
      "idempotency-key": key,
    };
    const hung_up = fetch(`${service.url}/v1/redemptions`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(1 + i),
    });
    await hung_up.catch(() => undefined);
    const learnt = () => api.send("POST", "/v1/redemptions", { raw: body, headers });
    await expect.poll(async () => (await learnt()).status, { timeout: 10_000 }).toBe(200);
  }
  expect(await redeemedTimes(code)).toBe(keys.length);
});
