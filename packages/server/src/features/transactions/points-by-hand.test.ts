import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aMember, aProgram } from "../loyalties/loyalty.fixtures.js";

const service = await startService({ project: { timezone: "America/New_York" } });
const { api, clock, context, project } = service;

const quarterly = { period_type: "MONTH", period_value: 2, rounding_type: "END_OF_QUARTER" };

/** A member of a program whose points expire by the rules. */
async function aCard(expiration_rules: object | null = quarterly, points = 0) {
  const program = await aProgram(service, {
    voucher: { type: "LOYALTY_CARD", loyalty_card: { points, expiration_rules } },
  });
  return { program, ...(await aMember(service, program)) };
}

const adjust = (card: { code: string }, body: Record<string, unknown>, status = 200) =>
  api.post(`/v1/loyalties/members/${card.code}/balance`, body, status);
const cardNow = async (card: { id: string }) =>
  (await api.get(`/v1/loyalties/members/${card.id}`, 200)).body.loyalty_card;
const nextOf = async (card: { id: string }) => {
  const { next_expiration_date, next_expiration_points } = await cardNow(card);
  return [next_expiration_date, next_expiration_points];
};
const lotsOf = async ({ id }: { id: string }) =>
  (
    await context.db.many<{ expires_on: string; points_left: number }>(sql`
      select point_lots.expires_on, point_lots.points_left from point_lots
       where point_lots.project_id = ${project.id} and point_lots.voucher_id = ${id} order by point_lots.expires_on`)
  ).map(({ expires_on, points_left }) => [expires_on, points_left]);

describe("points added by hand (loyalty.md §3.1)", () => {
  test("expire by the rules of the program unless it is said otherwise", async () => {
    clock.set("2027-05-14T12:00:00Z");
    const { program, card } = await aCard(quarterly, 1000);
    expect(await nextOf(card)).toEqual([null, 1000]);
    const { body } = await adjust(card, { points: 30, reason: "sorry", source_id: "mine" });
    expect(body).toEqual({
      points: 30,
      total: 1030,
      balance: 1030,
      type: "loyalty_card",
      object: "balance",
      operation_type: "MANUAL",
      related_object: { type: "voucher", id: card.id },
    });
    expect(await nextOf(card)).toEqual(["2027-09-30", 30]);
    await adjust(card, { points: 7, expiration_type: "NON_EXPIRING" });
    await adjust(card, { points: 5, expiration_type: "CUSTOM_DATE", expiration_date: "2027-06-30" });
    await adjust(card, { points: 4, expiration_type: "PROGRAM_RULES" });
    // An instant is a day where the project is.
    await adjust(card, { points: 1, expiration_type: "CUSTOM_DATE", expiration_date: "2027-07-01T03:00:00Z" });
    expect(await lotsOf(card)).toEqual([
      ["2027-06-30", 6],
      ["2027-09-30", 34],
    ]);
    expect(await cardNow(card)).toMatchObject({
      points: 1047,
      balance: 1047,
      next_expiration_date: "2027-06-30",
      next_expiration_points: 6,
    });
    const { vouchers } = (await api.get(`/v1/loyalties/${program.id}/members`, 200)).body;
    expect(vouchers[0].loyalty_card).toMatchObject({ next_expiration_date: "2027-06-30", next_expiration_points: 6 });
    const { data } = (await api.get(`/v1/loyalties/members/${card.id}/transactions?order=id`, 200)).body;
    expect(data[0]).toMatchObject({ type: "POINTS_ADDITION", reason: "sorry", source_id: "mine", source: "API" });
  });

  test("expire in no program without rules, and by the rules as they are when they are added", async () => {
    clock.set("2027-05-14T12:00:00Z");
    const { program, card } = await aCard(null);
    await adjust(card, { points: 10 });
    await api.put(`/v1/loyalties/${program.id}`, { loyalty_card: { points: 0, expiration_rules: quarterly } }, 200);
    expect(await lotsOf(card)).toEqual([]);
    await adjust(card, { points: 10 });
    expect(await lotsOf(card)).toEqual([["2027-09-30", 10]]);
  });

  test("under their program, and by the voucher's call, are the same", async () => {
    clock.set("2027-05-14T12:00:00Z");
    const { program, card } = await aCard();
    const other = await aCard();
    await api.post(`/v1/loyalties/${program.name}/members/${card.id}/balance`, { points: 3 }, 200);
    await api.post(`/v1/vouchers/${card.code}/balance`, { amount: 4 }, 200);
    expect(await lotsOf(card)).toEqual([["2027-09-30", 7]]);
    const { body } = await api.post(`/v1/loyalties/${other.program.id}/members/${card.id}/balance`, { points: 3 }, 404);
    expect(body.resource_type).toBe("voucher");
    await api.post(`/v1/loyalties/none/members/${card.id}/balance`, { points: 3 }, 404);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["without a number", {}, "invalid_payload", "Payload must have required property 'points'"],
    ["of a part", { points: 1.5 }, "invalid_payload", "Property .points must be integer"],
    ["of none", { points: 0 }, "invalid_add_balance_params", "Amount cannot be zero"],
    ["beyond the balance", { points: -21 }, "invalid_add_balance_params", "Amount cannot exceed the balance"],
    [
      "beyond counting",
      { points: Number.MAX_SAFE_INTEGER },
      "invalid_add_balance_params",
      "Balance cannot be that high",
    ],
    [
      "dated without a date",
      { points: 1, expiration_type: "CUSTOM_DATE" },
      "invalid_payload",
      "Property .expiration_date is required for CUSTOM_DATE",
    ],
    [
      "dated by no date",
      { points: 1, expiration_type: "CUSTOM_DATE", expiration_date: "soon" },
      "invalid_payload",
      "Property .expiration_date cannot be recognized as a ISO-8601 compliant date",
    ],
    [
      "dated before today",
      { points: 1, expiration_type: "CUSTOM_DATE", expiration_date: "2027-05-13" },
      "invalid_expiration_date",
      "Expiration date cannot be set in the past",
    ],
    [
      "in a way nobody knows",
      { points: 1, expiration_type: "SOMETIME" },
      "invalid_payload",
      "Property .expiration_type should be equal to one of the allowed values [PROGRAM_RULES, NON_EXPIRING, CUSTOM_DATE]",
    ],
  ])("%s are refused, and nothing is changed", async (_what, sent, key, details) => {
    // Still the 14th where the project is.
    clock.set("2027-05-15T03:59:00Z");
    const { card } = await aCard(quarterly, 20);
    expect((await adjust(card, sent, 400)).body).toMatchObject({ key, details });
    expect(await cardNow(card)).toMatchObject({ points: 20, balance: 20 });
    expect(await lotsOf(card)).toEqual([]);
    await adjust(card, { points: 1, expiration_type: "CUSTOM_DATE", expiration_date: "2027-05-14" });
  });

  test("are refused for a card that nobody holds", async () => {
    const program = await aProgram(service, { type: "STATIC" });
    const { body: card } = await api.post(`/v1/campaigns/${program.id}/vouchers`, {}, 200);
    expect((await adjust(card, { points: 1 }, 400)).body.key).toBe("invalid_add_balance_params");
  });
});

describe("points taken away by hand", () => {
  test("go from what expires soonest: the example of loyalty.md §6.4", async () => {
    clock.set("2027-05-14T12:00:00Z");
    const { card } = await aCard(null, 100);
    const dated = (points: number, expiration_date: string) =>
      adjust(card, { points, expiration_type: "CUSTOM_DATE", expiration_date });
    await dated(45, "2027-09-30");
    await dated(30, "2027-06-30");
    const { body } = await adjust(card, { points: -60, expiration_type: "CUSTOM_DATE", expiration_date: "never" }, 400);
    expect(body.key).toBe("invalid_payload");
    expect((await adjust(card, { points: -60 })).body).toMatchObject({ points: -60, total: 115, balance: 115 });
    expect(await lotsOf(card)).toEqual([
      ["2027-06-30", 0],
      ["2027-09-30", 15],
    ]);
    expect(await nextOf(card)).toEqual(["2027-09-30", 15]);
    await adjust(card, { points: -15 });
    expect(await nextOf(card)).toEqual([null, 100]);
    // An empty lot is filled again.
    await dated(2, "2027-06-30");
    expect(await nextOf(card)).toEqual(["2027-06-30", 2]);
    expect(await cardNow(card)).toMatchObject({ points: 177, balance: 102, subtracted_points: 75 });
  });

  test("by many at once are taken one after the other, and never more than there is", async () => {
    clock.set("2027-05-14T12:00:00Z");
    const { card } = await aCard(quarterly, 5);
    await adjust(card, { points: 20 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => api.post(`/v1/loyalties/members/${card.code}/balance`, { points: -1 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(await lotsOf(card)).toEqual([["2027-09-30", 0]]);
    expect(await cardNow(card)).toMatchObject({ balance: 0, subtracted_points: 25 });
  });
});
