import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import type { Queries } from "../../platform/db/database.js";
import { findVouchersToDecide } from "./voucher-facts.store.js";

const { api, clock, context, project } = await startService();

const aVoucher = async (code: string, body: object) =>
  (await api.post(`/v1/vouchers/${code}`, body, 200)).body as { id: string; code: string };
const off = { discount: { type: "AMOUNT", amount_off: 100 } };
const plain = await aVoucher("PLAIN", { type: "DISCOUNT_VOUCHER", ...off, redemption: { quantity: 5 } });
const endless = await aVoucher("ENDLESS", { type: "DISCOUNT_VOUCHER", ...off, redemption: { quantity: null } });
const card = await aVoucher("CARD", { type: "GIFT_VOUCHER", gift: { amount: 700 }, redemption: { quantity: null } });

/** What is found, and how many round trips it took; those of one turn go together. */
async function found(codes: readonly string[], holding: readonly string[] = [], session_keys: readonly string[] = []) {
  let trips = 0;
  let is_open = false;
  const many: Queries["many"] = (statement) => {
    if (!is_open) {
      trips += 1;
      setImmediate(() => (is_open = false));
    }
    is_open = true;
    return context.db.many(statement);
  };
  const names = { code_keys: codes, ids: [] };
  const asked = { session_keys, instant: clock.now(), holding, is_recording: false };
  const vouchers = await findVouchersToDecide({ ...context.db, many }, project.id, names, asked);
  const told = vouchers.map(({ code, balance, locks }) => [
    code,
    balance,
    locks.sessions,
    locks.credits,
    locks.own.length,
  ]);
  return { trips, told: told.sort() };
}

test("codes that hold nothing are read in one round trip", async () => {
  expect(await found(["PLAIN", "ENDLESS"])).toEqual({
    trips: 1,
    told: [
      ["ENDLESS", null, 0, 0, 0],
      ["PLAIN", null, 0, 0, 0],
    ],
  });
});

test("what cards hold is read in a second one, or with the first where somebody knows of them", async () => {
  const told = [
    ["CARD", 700, 0, 0, 0],
    ["PLAIN", null, 0, 0, 0],
  ];
  expect(await found(["PLAIN", "CARD"])).toEqual({ trips: 2, told });
  expect(await found(["PLAIN", "CARD"], [card.id])).toEqual({ trips: 1, told });
  // Whoever was believed to hold something and is not asked for adds nothing.
  expect(await found(["PLAIN"], [card.id])).toEqual({ trips: 1, told: told.slice(1) });
});

test("locks are found, whoever holds them; of a code without a limit they count for nothing", async () => {
  const validate = (id: string) =>
    api.post(
      "/v1/validations",
      {
        redeemables: [{ object: "voucher", id, ...(id === "CARD" ? { gift: { credits: 300 } } : {}) }],
        order: { amount: 1_000 },
        session: { type: "LOCK", key: `session-${id}`, ttl: 1, ttl_unit: "MINUTES" },
      },
      200,
    );
  for (const { code } of [plain, endless, card]) await validate(code);
  const told = (own: number) => [
    ["CARD", 700, 1, 300, 0],
    ["ENDLESS", null, 0, 0, 0],
    ["PLAIN", null, 1, 0, own],
  ];
  const codes = ["PLAIN", "ENDLESS", "CARD"];
  expect(await found(codes)).toEqual({ trips: 2, told: told(0) });
  expect(await found(codes, [plain.id, card.id], ["session-PLAIN"])).toEqual({ trips: 1, told: told(1) });
  clock.advance({ minutes: 1 });
  expect((await found(["PLAIN"])).trips).toBe(1);
});
