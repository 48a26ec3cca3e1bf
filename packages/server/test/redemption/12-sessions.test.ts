import { describe, expect, test } from "vitest";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { type Fields, idsOf, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { aReward, coin, given } from "../../src/features/rewards/reward.fixtures.js";
import { notFound } from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";
import { an_order, aShop, aStockedShop, asked, type Shop } from "./shop.fixtures.js";

const service = await startService();
const { clock } = service;
const by = (key: string, more: Fields = {}) => ({ order: an_order, session: { type: "LOCK", key, ...more } });
const aLockedShop = async (quantity: number | null) => {
  const shop = await aShop(service);
  await shop.voucher("ONE", { redemption: { quantity } });
  return shop;
};
/** The key of why the only redeemable is not usable, or `ok`. */
const asks = async (shop: Shop, more: Fields = { order: an_order }, redeemable: string | Fields = "ONE") =>
  (await shop.validate([redeemable], more)).redeemables[0].result.error?.key ?? "ok";
const release = (shop: Shop, key: string, status: number, code = "ONE") =>
  shop.api.delete(`/v1/vouchers/${code}/sessions/${key}`, status);

describe("opening a session (redemption.md §12)", () => {
  test("needs a type alone: the key is made, and it lasts seven days", async () => {
    const shop = await aLockedShop(1);
    const { session } = await shop.validate(["ONE"], { order: an_order, session: { type: "LOCK" } });
    expect(session).toEqual({ type: "LOCK", key: expect.stringMatching(/^ssn_/), ttl: 7, ttl_unit: "DAYS" });
    clock.advance({ days: 7, ms: -1 });
    expect(await asks(shop)).toBe("quantity_exceeded");
    clock.advance({ ms: 1 });
    expect(await asks(shop)).toBe("ok");
  });

  test.each([
    ["DAYS", 2, 2 * 86_400_000],
    ["HOURS", 3, 3 * 3_600_000],
    ["MINUTES", 5, 5 * 60_000],
    ["SECONDS", 30, 30_000],
    ["MILLISECONDS", 900, 900],
    ["MICROSECONDS", 4_000_000, 4_000],
    ["NANOSECONDS", 5_000_000_000, 5_000],
  ])("lasts as long as it says, in %s", async (ttl_unit, ttl, ms) => {
    const shop = await aLockedShop(1);
    const { session } = await shop.validate(["ONE"], by("till", { ttl, ttl_unit }));
    expect(session).toEqual({ type: "LOCK", key: "till", ttl, ttl_unit });
    clock.advance({ ms: ms - 1 });
    expect(await asks(shop)).toBe("quantity_exceeded");
    clock.advance({ ms: 1 });
    expect(await asks(shop)).toBe("ok");
  });

  test.each<[string, Fields]>([
    ["without a type", { key: "till" }],
    ["of another type", { type: "SHARE", key: "till" }],
    ["in a unit that is none", { type: "LOCK", ttl: 1, ttl_unit: "WEEKS" }],
    ["for no time", { type: "LOCK", ttl: 0, ttl_unit: "DAYS" }],
  ])("%s is refused: 400", async (_, session) => {
    const shop = await aLockedShop(1);
    const sent = { redeemables: [asked("ONE")], order: an_order, session };
    for (const path of ["/v1/validations", "/v1/redemptions"])
      expect((await shop.api.post(path, sent, 400)).body.key).toBe("invalid_payload");
  });

  test("by a validation that is not valid reserves nothing", async () => {
    const shop = await aStockedShop(service);
    await shop.voucher("ONE", { redemption: { quantity: 1 } });
    expect((await shop.validate(["ONE", "OFF"], by("till"))).valid).toBe(false);
    expect(await asks(shop)).toBe("ok");
    await release(shop, "till", 404);
  });

  test("reserves each voucher that is applied, and no other", async () => {
    const shop = await aStockedShop(service, {
      redeemables_application_mode: "PARTIAL",
      applicable_redeemables_limit: 2,
    });
    const body = await shop.validate(["OFF", "A", "B", "C"], by("till"));
    expect([idsOf(body.redeemables), body.session.key]).toEqual([["A", "B"], "till"]);
    for (const code of ["A", "B"]) await release(shop, "till", 204, code);
    for (const code of ["OFF", "C"]) await release(shop, "till", 404, code);
  });

  test("is accepted and echoed for a tier, of which there is nothing to reserve", async () => {
    const shop = await aShop(service);
    const [id] = (await tiersOf(shop.api, [{}])).ids;
    const tier = { object: "promotion_tier", id };
    for (const key of ["one", "two"]) {
      const body = await shop.validate([tier], by(key));
      expect([body.valid, body.session.key]).toEqual([true, key]);
    }
  });
});

describe("what a session reserves from everybody else", () => {
  test.each([
    [1, ["ok", "quantity_exceeded"]],
    [3, ["ok", "ok", "ok", "quantity_exceeded"]],
    [null, ["ok", "ok", "ok", "ok", "ok"]],
  ])("one redemption for each key, of a quantity of %s", async (quantity, answers) => {
    const shop = await aLockedShop(quantity);
    for (const [i, answer] of answers.entries()) expect(await asks(shop, by(`key-${i}`))).toBe(answer);
  });

  test("with what was redeemed counted beside it", async () => {
    const shop = await aLockedShop(3);
    await shop.redeem(["ONE"]);
    expect(await asks(shop, by("first"))).toBe("ok");
    expect(await asks(shop, by("second"))).toBe("ok");
    expect(await asks(shop, by("third"))).toBe("quantity_exceeded");
    expect(await shop.redeem(["ONE"], undefined, 400)).toMatchObject({ key: "quantity_exceeded", details: "ONE" });
    expect((await shop.redeem(["ONE"], by("second"))).redemptions).toHaveLength(1);
  });

  test.each([
    [3_000, "gift_amount_exceeded"],
    [2_500, "ok"],
  ])("the credits that would be used: 65.00 of 90.00 held, %i asked for: %s", async (credits, answer) => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 9_000 } });
    await shop.validate([asked("GIFT", { gift: { credits: 6_500 } })], by("till"));
    const more = asked("GIFT", { gift: { credits } });
    expect(await asks(shop, undefined, more)).toBe(answer);
    const body = await shop.redeem([more], undefined, answer === "ok" ? 200 : 400);
    if (answer !== "ok") expect(body.key).toBe(answer);
    const own = asked("GIFT", { gift: { credits: 6_500 } });
    expect((await shop.redeem([own], by("till"))).redemptions[0].amount).toBe(6_500);
  });

  test("of credits no more than the order needs", async () => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 9_000 } });
    await shop.validate([asked("GIFT", { gift: { credits: 6_500 } })], { ...by("till"), order: { amount: 1_000 } });
    expect(await asks(shop, undefined, asked("GIFT", { gift: { credits: 8_000 } }))).toBe("ok");
    expect(await asks(shop, undefined, asked("GIFT", { gift: { credits: 8_001 } }))).toBe("gift_amount_exceeded");
  });

  test("the points that would be used", async () => {
    const shop = await aShop(service);
    const program = await aProgram(shop, {}, 900);
    const reward = await aReward(shop, coin(10, 1));
    await given(shop, program, reward);
    const { card } = await aMember(shop, program);
    const customer = { id: card.holder_id };
    const pay = (points: number) => asked(card.code, { reward: { id: reward.id, points } });
    await shop.validate([pay(650)], { ...by("till"), customer });
    expect(await asks(shop, { order: an_order, customer }, pay(260))).toBe("loyalty_card_points_exceeded");
    expect(await asks(shop, { order: an_order, customer }, pay(250))).toBe("ok");
    expect((await shop.redeem([pay(650)], { ...by("till"), customer })).redemptions[0].amount).toBe(650);
  });
});

describe("the same key", () => {
  test("never counts against itself, and its time starts again", async () => {
    const shop = await aLockedShop(1);
    const till = by("till", { ttl: 10, ttl_unit: "MINUTES" });
    for (let i = 0; i < 3; i += 1) {
      expect(await asks(shop, till)).toBe("ok");
      clock.advance({ minutes: 9 });
    }
    expect(await asks(shop)).toBe("quantity_exceeded");
    clock.advance({ minutes: 1 });
    expect(await asks(shop)).toBe("ok");
  });

  test("replaces what it had reserved", async () => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 9_000 } });
    for (const credits of [6_500, 1_000]) await shop.validate([asked("GIFT", { gift: { credits } })], by("till"));
    expect(await asks(shop, undefined, asked("GIFT", { gift: { credits: 8_000 } }))).toBe("ok");
    expect(await asks(shop, undefined, asked("GIFT", { gift: { credits: 8_001 } }))).toBe("gift_amount_exceeded");
  });
});

describe("redeeming", () => {
  test("with the key goes past its own lock and drops it; without it, or with another, it is used up", async () => {
    const shop = await aLockedShop(2);
    expect(await asks(shop, by("till"))).toBe("ok");
    await shop.redeem(["ONE"]);
    for (const more of [{ order: an_order }, by("other")])
      expect(await shop.redeem(["ONE"], more, 400)).toMatchObject({ key: "quantity_exceeded" });
    await shop.redeem(["ONE"], by("till"));
    await release(shop, "till", 404);
    expect((await shop.read("ONE")).redemption.redeemed_quantity).toBe(2);
  });

  test("with a key that nobody has, or that is over, is like any other", async () => {
    const shop = await aLockedShop(null);
    await shop.validate(["ONE"], by("over", { ttl: 1, ttl_unit: "SECONDS" }));
    clock.advance({ ms: 1_000 });
    for (const key of ["nobodys", "over"])
      expect((await shop.redeem(["ONE"], by(key))).redemptions).toMatchObject([{ result: "SUCCESS" }]);
  });

  test("that fails keeps it", async () => {
    const shop = await aStockedShop(service);
    await shop.voucher("ONE", { redemption: { quantity: 1 } });
    await shop.validate(["ONE"], by("till"));
    await shop.redeem(["ONE", "OFF"], by("till"), 400);
    expect(await asks(shop)).toBe("quantity_exceeded");
    await release(shop, "till", 204);
  });
});

describe("releasing a session", () => {
  test("frees what it held: 204, and there is none any more", async () => {
    const shop = await aLockedShop(1);
    await shop.validate(["ONE"], by("till"));
    expect((await release(shop, "till", 204)).body).toBeNull();
    expect(await asks(shop)).toBe("ok");
    await release(shop, "till", 404);
  });

  test("that is unknown, or over, or of a voucher that is unknown: 404", async () => {
    const shop = await aLockedShop(1);
    await shop.validate(["ONE"], by("over", { ttl: 1, ttl_unit: "SECONDS" }));
    clock.advance({ ms: 1_000 });
    for (const key of ["nobodys", "over"])
      expect((await release(shop, key, 404)).body).toEqual(notFound("session", key));
    expect((await release(shop, "over", 404, "NOWHERE")).body).toEqual(notFound("voucher", "NOWHERE"));
  });
});
