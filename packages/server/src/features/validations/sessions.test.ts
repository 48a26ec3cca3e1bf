import { describe, expect, test } from "vitest";
import { editSettings } from "../../../test/harness/edits.js";
import { startService } from "../../../test/harness/service.js";
import { writeSessions } from "../../books/sessions.store.js";
import { sql } from "../../platform/db/sql.js";

const { anotherProject, api, clock, context, project } = await startService();

let made = 0;
async function aVoucher(fields: Record<string, unknown> = { redemption: { quantity: 3 } }) {
  made += 1;
  const discount = { type: "PERCENT", percent_off: 10 };
  return (await api.post(`/v1/vouchers/S-${made}`, { ...("gift" in fields ? {} : { discount }), ...fields }, 200)).body;
}

const asking = (code: string, more: object = {}) => ({
  redeemables: [{ object: "voucher", id: code }],
  order: { amount: 1000 },
  ...more,
});
const lock = (code: string, session: object, status = 200) =>
  api.post("/v1/validations", asking(code, { session: { type: "LOCK", ...session } }), status);
const isFree = async (code: string) => (await api.post("/v1/validations", asking(code), 200)).body.valid as boolean;

/** Locks as a rush of validations leaves them, numbered from 1 on. */
const locksOf = (voucher_id: string, count: number, expires_at: string, credits = 0) =>
  context.db.transaction(async (tx) =>
    tx.send(
      writeSessions(
        project.id,
        Array.from({ length: count }, (_, i) => ({ voucher_id, session_key: `rush-${i + 1}`, credits, expires_at })),
      ),
    ),
  );

/** The quickest of some answers, ms: what else the machine does makes them slower and never faster. */
async function quickest(code: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    const begun = performance.now();
    await api.post("/v1/validations", asking(code), 200);
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
}

describe("locks that have run out", () => {
  test("are not read, however many wait for their purge", async () => {
    const voucher = await aVoucher();
    await locksOf(voucher.id, 100_000, "2026-03-02T09:59:59.999Z");
    await context.db.run(sql`analyze voucher_sessions`);
    expect(await isFree(voucher.code)).toBe(true);
    // All of them read took 500 ms.
    expect(await quickest(voucher.code)).toBeLessThan(60);
  });

  test("hold nothing from the very instant on", async () => {
    const { code } = await aVoucher({ redemption: { quantity: 1 } });
    await lock(code, { ttl: 1, ttl_unit: "MILLISECONDS" });
    expect(await isFree(code)).toBe(false);
    clock.advance({ ms: 1 });
    expect(await isFree(code)).toBe(true);
  });
});

describe("live locks", () => {
  test("of a popular code count all, and their owner's own is not among them", async () => {
    const { id, code } = await aVoucher({ redemption: { quantity: 20_000 } });
    await locksOf(id, 20_000, "2026-03-03T10:00:00Z");
    expect(await isFree(code)).toBe(false);
    expect((await lock(code, { key: "rush-17" })).body.valid).toBe(true);
    expect((await lock(code, { key: "somebody" })).body.valid).toBe(false);
    await api.delete(`/v1/vouchers/${code}/sessions/rush-20000`, 204);
    expect((await lock(code, { key: "somebody" })).body.valid).toBe(true);
  });

  test("hold nothing of a code without a limit", async () => {
    const { id, code } = await aVoucher({});
    await locksOf(id, 50, "2026-03-03T10:00:00Z");
    expect(await isFree(code)).toBe(true);
  });

  test("hold a card's credits in sum, without those of one's own key", async () => {
    const { id, code } = await aVoucher({ gift: { amount: 10_000 } });
    await locksOf(id, 9, "2026-03-03T10:00:00Z", 1000);
    const spends = async (credits: number, session: object) => {
      const redeemables = [{ object: "voucher", id: code, gift: { credits } }];
      return (
        await api.post("/v1/validations", { ...asking(code, session), redeemables, order: { amount: 9000 } }, 200)
      ).body.valid as boolean;
    };
    expect([await spends(1000, {}), await spends(1001, {})]).toEqual([true, false]);
    const own = { session: { type: "LOCK", key: "rush-1" } };
    expect([await spends(2001, own), await spends(2000, own)]).toEqual([false, true]);
  });

  test("are dropped with the redemption of their key, for those behind it too", async () => {
    const { code } = await aVoucher({ redemption: { quantity: 2 } });
    for (const key of ["one", "two"]) await lock(code, { key });
    const redeem = (more: object) => api.post("/v1/redemptions", asking(code, more));
    const own = (key: string) => ({ session: { type: "LOCK", key } });
    const answers = await Promise.all([redeem(own("one")), redeem({}), redeem({}), redeem(own("two"))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 200]);
  });
});

describe("a session's time", () => {
  test.each`
    ttl                 | ttl_unit
    ${31}               | ${"DAYS"}
    ${30.00001}         | ${"DAYS"}
    ${30 * 24 * 60 + 1} | ${"MINUTES"}
    ${1e15}             | ${"SECONDS"}
  `("of $ttl $ttl_unit is refused with the bound", async ({ ttl, ttl_unit }) => {
    const { code } = await aVoucher();
    const { body } = await lock(code, { ttl, ttl_unit }, 400);
    expect(body.key).toBe("invalid_payload");
    expect(body.details).toBe(`Property .session.ttl must be at most 30 days, not ${ttl} ${ttl_unit}`);
    expect((await api.get(`/v1/vouchers/${code}/sessions`, 200)).body.total).toBe(0);
  });

  test("may be 30 days", async () => {
    const { code } = await aVoucher();
    expect((await lock(code, { ttl: 30 })).body.valid).toBe(true);
    expect((await lock(code, { ttl: 2_592_000, ttl_unit: "SECONDS" })).body.valid).toBe(true);
  });
});

describe("an owner", () => {
  test("sees the live locks of a voucher by code or id, and gives them up", async () => {
    const { id, code } = await aVoucher({ gift: { amount: 500 } });
    await lock(code, { key: "late", ttl: 2, ttl_unit: "HOURS" });
    await locksOf(id, 1, "2026-03-02T10:00:00.000Z");
    const { body } = await api.get(`/v1/vouchers/${id}/sessions`, 200);
    expect(body).toEqual({
      object: "list",
      data_ref: "sessions",
      sessions: [
        {
          key: "late",
          type: "LOCK",
          voucher_id: id,
          code,
          quantity: 1,
          credits: 500,
          expires_at: new Date(clock.now() + 7_200_000).toISOString(),
          object: "session",
        },
      ],
      total: 1,
    });
    await api.delete(`/v1/vouchers/${code}/sessions/late`, 204);
    expect((await api.get(`/v1/vouchers/${code}/sessions`, 200)).body.sessions).toEqual([]);
  });

  test("reads them in pages, those first that run out first", async () => {
    const { code } = await aVoucher();
    for (const [key, ttl] of [
      ["c", 3],
      ["a", 1],
      ["b", 2],
    ])
      await lock(code, { key, ttl });
    const keys = async (query: string) =>
      (await api.get(`/v1/vouchers/${code}/sessions${query}`, 200)).body.sessions.map(
        ({ key }: { key: string }) => key,
      );
    expect(await keys("")).toEqual(["a", "b", "c"]);
    expect(await keys("?limit=2&page=2")).toEqual(["c"]);
    expect((await api.get(`/v1/vouchers/nobody/sessions`, 404)).body.resource_type).toBe("voucher");
  });
});

test("a viewer's key asks and holds nothing", async () => {
  const viewer = await anotherProject();
  const discount = { type: "AMOUNT", amount_off: 100 };
  await viewer.api.post("/v1/vouchers/SEEN", { discount, redemption: { quantity: 1 } }, 200);
  await editSettings(
    context,
    viewer.id,
    sql`update api_keys set role = 'VIEWER' where api_keys.project_id = ${viewer.id}`,
  );
  const session = { type: "LOCK", ttl: 1 };
  const { body } = await viewer.api.post("/v1/validations", asking("SEEN", { session }), 403);
  expect(body.key).toBe("missing_required_permission");
  await viewer.api.post("/v1/vouchers/SEEN/validate", { session }, 403);
  expect((await viewer.api.get("/v1/vouchers/SEEN/sessions", 200)).body.total).toBe(0);
  expect((await viewer.api.post("/v1/validations", asking("SEEN"), 200)).body.valid).toBe(true);
});
