import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { leavingAllOf } from "../../../test/harness/stored.js";
import { request_id } from "../../../test/refusals/refusals.fixtures.js";
import { sql } from "../../platform/db/sql.js";
import { aReward, coin, given } from "../rewards/reward.fixtures.js";
import {
  amount,
  badRules,
  byMetadata,
  canceled,
  expiration_date,
  fixed,
  invalid,
  missing,
  no_amount,
  ofEvent,
  paid,
  type Row,
  type Says,
  start_date,
  two_days,
  unknown,
} from "./bad-input.fixtures.js";
import { aCustomEvent, aMember, aProgram } from "./loyalty.fixtures.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { api, context, management, project, runDue } = service;

const program = await aProgram(service, { start_date, expiration_date });
const event = await aCustomEvent(service, project, {
  shop: { type: "string", optional: true },
  bags: { type: "number", optional: true },
});
await management.post(
  `/management/v1/projects/${project.id}/metadata-schemas`,
  {
    related_object: "order",
    properties: {
      note: { type: "string", optional: true, array: false },
      weights: { type: "number", optional: true, array: true },
    },
  },
  200,
);
const of_event = ofEvent(event);
const { card, source_id } = await aMember(service, program);
const { card: donor } = await aMember(service, program);
await api.post(`/v1/loyalties/members/${card.code}/balance`, { points: 20 }, 200);
await api.post(`/v1/loyalties/members/${donor.code}/balance`, { points: 30 }, 200);
await api.post(`/v1/loyalties/${program.id}/tiers`, [{ name: "Silver", points: { from: 100, to: 199 } }], 200);

const reward = await aReward(service, { stock: 0 });
await given(service, program, reward, 10);
const dear = await aReward(service);
await given(service, program, dear, 21);
const money = await aReward(service, coin(1, 1));
const [free, itself] = [
  await aReward(service),
  await aReward(service, { parameters: { campaign: { id: program.id, balance: 1 } } }),
];
const automatic = await aReward(service);
const parameters = { loyalty: { points: 1_000_000, auto_redeem: true } };
const { body: first } = await api.post(
  `/v1/rewards/${automatic.id}/assignments`,
  { campaign: program.id, parameters },
  200,
);

// One entry that pends, and one that is over.
const waits = { event: "order.paid", loyalty: { type: "FIXED", points: 5 } };
const { body: rules } = await api.post(
  `/v1/loyalties/${program.id}/earning-rules`,
  [{ ...waits, pending_points: two_days }],
  200,
);
for (let i = 0; i < 2; i += 1) {
  await api.post("/v1/orders", { customer: { source_id }, amount: 100, status: "PAID" }, 200);
  await runDue();
}
const at_pending = `/v1/loyalties/members/${card.code}/pending-points`;
const [over, pending] = (await api.get(at_pending, 200)).body.data as { id: string }[];
await api.post(`${at_pending}/${over?.id}/cancel`, undefined, 204);
await runDue();

/** Refused alike: with what it says, and nothing of the project is another than before. */
async function refused(method: "POST" | "PUT", url: string, sent: unknown, says: Says): Promise<void> {
  const ask = () => (method === "POST" ? api.post(url, sent) : api.put(url, sent));
  const { status, body } = await leavingAllOf(context, project.id)(ask);
  expect(body).toEqual({ code: 400, ...says, request_id });
  expect(status).toBe(body.code);
}

describe("an earning rule is refused, and none that is sent with it is made", () => {
  test.each(badRules(event))("%s", (_what, sent, says) =>
    refused("POST", `/v1/loyalties/${program.id}/earning-rules`, [paid, sent], says),
  );

  test("beside a program of its own, as it is changed", async () => {
    const url = `/v1/loyalties/${program.id}/earning-rules/${rules[0].id}`;
    const late = `Property .start_date must not be after the program's expiration_date ${expiration_date}`;
    await refused("PUT", url, { start_date: "2028-01-01" }, invalid(late));
    const text = "metadata schema says that 'note' is string";
    const { loyalty } = byMetadata("order", "note");
    await refused(
      "PUT",
      url,
      { loyalty },
      invalid(`Property .loyalty.order.metadata.property must name a number: ${text}`),
    );
    await refused("PUT", url, { loyalty: { points: -1 } }, invalid("Property .loyalty.points must be >= 0"));
  });

  test("but not where it may come to pay: a tier says its points, a day is behind, a property is not said to be anything", async () => {
    const sent = [
      { ...paid, loyalty: fixed(0) },
      { ...paid, expiration_date: "2027-02-01" },
      { ...paid, start_date: expiration_date },
      { ...paid, ...byMetadata("order", "visits") },
      { ...of_event, ...byMetadata("custom_event", "bags") },
      { ...of_event, ...byMetadata("customer", "shop") },
    ];
    const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, sent, 200);
    const made = body as { id: string }[];
    expect(made).toHaveLength(sent.length);
    for (const { id } of made) await api.delete(`/v1/loyalties/${program.id}/earning-rules/${id}`, 204);
  });
});

describe("points by hand are refused, and the card holds what it held", () => {
  test.each<Row>([
    ["none", { points: 0 }, amount("Amount cannot be zero")],
    ["part of one", { points: 1.5 }, invalid("Property .points must be integer")],
    ["more than there are", { points: -21 }, amount("Amount cannot exceed the balance")],
    ["as text", { points: "5" }, invalid("Property .points must be integer")],
    ["that do not say how many", {}, invalid("Payload must have required property 'points'")],
    [
      "that expired yesterday",
      { points: 1, expiration_type: "CUSTOM_DATE", expiration_date: "2027-05-13" },
      {
        key: "invalid_expiration_date",
        message: "Invalid expiration date",
        details: "Expiration date cannot be set in the past",
      },
    ],
  ])("%s", (_what, sent, says) => refused("POST", `/v1/loyalties/members/${card.code}/balance`, sent, says));
});

describe("a transfer is refused, and with it those before it", () => {
  const item = (more: object) => ({ code: donor.code, points: 1, source_id: "t", ...more });
  test.each<Row>([
    [
      "beyond the balance",
      item({ points: 30 }),
      { key: "loyalty_card_points_exceeded", message: "loyalty card points exceeded", details: donor.code },
    ],
    ["to the same card", item({ code: card.code }), invalid("Property [1].code must not be the receiving card")],
    [
      "to the same card by its id",
      item({ code: card.id }),
      invalid("Property [1].code must not be the receiving card"),
    ],
    ["of none", item({ points: 0 }), invalid("Property [1].points must be >= 1")],
    ["of less", item({ points: -5 }), invalid("Property [1].points must be >= 1")],
    ["of part of one", item({ points: 0.5 }), invalid("Property [1].points must be integer")],
    ["from nobody", item({ code: undefined }), invalid("Property [1] should have required property 'code'")],
    ["from a card that there is not", item({ code: "NOBODY" }), unknown("voucher", "NOBODY")],
  ])("%s", (_what, sent, says) =>
    refused("POST", `/v1/loyalties/${program.id}/members/${card.code}/transfers`, [item({}), sent], says),
  );
});

describe("tiers are refused together", () => {
  const apart = invalid("Property [1].points must not overlap with those of tier Silver");
  test.each<Row>([
    ["inside another", { points: { from: 120, to: 130 } }, apart],
    ["at the last point of another", { points: { from: 199 } }, apart],
    ["at the first point of another", { points: { from: 50, to: 100 } }, apart],
    ["without end below another", { points: { from: 50 } }, apart],
    [
      "over one that comes with it",
      { points: { from: 340, to: 400 } },
      invalid("Property [1].points must not overlap with those of tier Gold"),
    ],
    ["that end before they begin", { points: { from: 90, to: 80 } }, invalid("Property [1].points.to must be >= 90")],
    ["from below nothing", { points: { from: -1, to: 80 } }, invalid("Property [1].points.from must be >= 0")],
    ["from part of a point", { points: { from: 0.5 } }, invalid("Property [1].points.from must be integer")],
  ])("%s", (_what, sent, says) =>
    refused(
      "POST",
      `/v1/loyalties/${program.id}/tiers`,
      [
        { name: "Gold", points: { from: 300, to: 350 } },
        { name: "Other", ...(sent as object) },
      ],
      says,
    ),
  );
});

describe("rewards are refused together", () => {
  const auto = { loyalty: { points: 5, auto_redeem: true } };
  test.each<Row>([
    ["without a price", { reward: dear.id }, missing("parameters.loyalty")],
    [
      "for nothing",
      { reward: dear.id, parameters: { loyalty: { points: 0 } } },
      invalid("Property [1].parameters.loyalty.points must be >= 1"),
    ],
    [
      "for part of a point",
      { reward: dear.id, parameters: { loyalty: { points: 0.5 } } },
      invalid("Property [1].parameters.loyalty.points must be integer"),
    ],
    [
      "that there are not",
      { reward: "rew_none", parameters: { loyalty: { points: 1 } } },
      unknown("reward", "rew_none"),
    ],
    [
      "that give their own program's points",
      { reward: itself.id, parameters: { loyalty: { points: 1 } } },
      invalid("Property [1].reward must not give points of the loyalty program that gives it"),
    ],
    [
      "that pay by themselves",
      { reward: money.id, parameters: auto },
      invalid("Property [1].parameters.loyalty.auto_redeem must not be true of a reward that pays with points"),
    ],
  ])("%s", (_what, sent, says) =>
    refused(
      "POST",
      `/v1/loyalties/${program.id}/rewards`,
      [{ reward: free.id, parameters: { loyalty: { points: 1 } } }, sent],
      says,
    ),
  );

  test("a second one that is redeemed by itself", async () => {
    const says = `Property [0].parameters.loyalty.auto_redeem must be true of one reward of a loyalty program alone, which is ${first.id}`;
    await refused(
      "POST",
      `/v1/loyalties/${program.id}/rewards`,
      [{ reward: free.id, parameters: auto }],
      invalid(says),
    );
  });
});

describe("pending points stay as they were", () => {
  const [at_one, at_over] = [`${at_pending}/${pending?.id}`, `${at_pending}/${over?.id}`];
  test.each<[string, string, unknown, Says]>([
    ["less by all of them", `${at_one}/balance`, { points: -5 }, no_amount],
    ["less by more", `${at_one}/balance`, { points: -6 }, no_amount],
    ["less by part of one", `${at_one}/balance`, { points: -0.5 }, invalid("Property .points must be integer")],
    ["changed when they are over", `${at_over}/balance`, { points: 1 }, canceled("updated")],
    ["activated when they are over", `${at_over}/activate`, undefined, canceled("activated")],
    ["canceled twice", `${at_over}/cancel`, undefined, canceled("canceled")],
    [
      "of another card",
      `/v1/loyalties/members/${donor.code}/pending-points/${pending?.id}/activate`,
      undefined,
      unknown("pending_points", pending?.id ?? ""),
    ],
  ])("%s", (_what, url, sent, says) => refused("POST", url, sent, says));
});

describe("a redemption of points is refused, and leaves its failure alone", () => {
  const failure = { resource_type: "redemption", resource_id: expect.stringMatching(/^rf_/) };
  test.each<[string, { id: string }, Says]>([
    [
      "of a reward without stock",
      reward,
      { key: "reward_out_of_stock", message: "Reward out of stock", details: reward.id },
    ],
    [
      "of a reward beyond the balance",
      dear,
      { key: "loyalty_card_points_exceeded", message: "loyalty card points exceeded", details: card.code },
    ],
  ])("%s", async (_what, { id }, says) => {
    const holds = async () =>
      context.db.many(sql`
        select card_balances.* from card_balances where card_balances.project_id = ${project.id} order by 1, 2`);
    const before = await holds();
    const path = `/v1/loyalties/${program.id}/members/${card.code}/redemption`;
    const { body } = await api.post(path, { reward: { id } }, 400);
    expect(body).toEqual({ code: 400, ...says, ...failure, request_id });
    expect(await holds()).toEqual(before);
    expect((await api.get(`/v1/rewards/${id}`, 200)).body.redeemed).toBeNull();
  });

  test("of part of a point, of less than none", async () => {
    const path = `/v1/loyalties/${program.id}/members/${card.code}/redemption`;
    const asked = (points: number) => ({ reward: { id: money.id, points }, order: { amount: 100 } });
    await refused("POST", path, asked(-1), invalid("Property .reward.points must be >= 0"));
    await refused("POST", path, asked(0.5), invalid("Property .reward.points must be integer,null"));
  });
});
