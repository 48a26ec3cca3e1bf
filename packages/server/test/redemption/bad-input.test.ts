import { describe, expect, test } from "vitest";
import {
  aRule,
  aStack,
  askingFor,
  type Fields,
  off,
  tiersOf,
} from "../../src/features/promotions/promotion.fixtures.js";
import type { Answer } from "../harness/client.js";
import { startService } from "../harness/service.js";
import { grownSince, leavingAllOf, storedOf } from "../harness/stored.js";
import { request_id } from "../refusals/refusals.fixtures.js";

const { api, page, context, project } = await startService();
const leavingAll = leavingAllOf(context, project.id);
await api.post("/v1/vouchers/CODE", off(100), 200);
const tier_id = (await tiersOf(api, [{}])).ids[0];
const stack = askingFor(await aStack(api)).redeemables;

const code = { object: "voucher", id: "CODE" };
const line = { source_id: "cup", related_object: "product", quantity: 1, price: 100 };
const too_much = 2 ** 53;

/** An operation that is asked with this body laid over a good one. */
interface Operation {
  ask(body: Fields): Promise<Answer>;
  /** What it takes beside an order, a customer and metadata. */
  takes: ("redeemables" | "card" | "session")[];
}
const together: Operation["takes"] = ["redeemables", "session"];
const operations: Record<string, Operation> = {
  "POST /v1/validations": { takes: together, ask: (body) => api.post("/v1/validations", body) },
  "POST /v1/redemptions": { takes: together, ask: (body) => api.post("/v1/redemptions", body) },
  "POST /client/v1/validations": { takes: together, ask: (body) => page.post("/client/v1/validations", body) },
  "POST /client/v1/redemptions": { takes: together, ask: (body) => page.post("/client/v1/redemptions", body) },
  "POST /v1/qualifications": { takes: ["session"], ask: (body) => api.post("/v1/qualifications", body) },
  "POST /client/v1/qualifications": { takes: ["session"], ask: (body) => page.post("/client/v1/qualifications", body) },
  "POST /v1/vouchers/{code}/validate": {
    takes: ["card", "session"],
    ask: (body) => api.post("/v1/vouchers/CODE/validate", body),
  },
  "POST /v1/vouchers/{code}/redemption": {
    takes: ["card", "session"],
    ask: (body) => api.post("/v1/vouchers/CODE/redemption", body),
  },
  "POST /client/v1/redeem": {
    takes: ["card", "session"],
    ask: (body) => page.post("/client/v1/redeem?code=CODE", body),
  },
  "POST /v1/promotions/tiers/{id}/validation": {
    takes: ["session"],
    ask: (body) => api.post(`/v1/promotions/tiers/${tier_id}/validation`, body),
  },
  "POST /v1/promotions/tiers/{id}/redemption": {
    takes: ["session"],
    ask: (body) => api.post(`/v1/promotions/tiers/${tier_id}/redemption`, body),
  },
  "POST /v1/promotions/validation": { takes: [], ask: (body) => api.post("/v1/promotions/validation", body) },
  "POST /v1/vouchers/qualification": { takes: [], ask: (body) => api.post("/v1/vouchers/qualification", body) },
  "POST /v1/campaigns/qualification": { takes: [], ask: (body) => api.post("/v1/campaigns/qualification", body) },
};

const invalid = (details: string) => ({ key: "invalid_payload", message: "Invalid payload", details });
const many = (count: number) => Array.from({ length: count }, (_none, i) => ({ object: "voucher", id: `CODE-${i}` }));
const order = (fields: Fields) => ({ order: fields });
const lines = (...items: Fields[]) => order({ items });
const beyond = "must be <= 9007199254740991";
const no_sum = "must keep the order below 2^53";

/** What is wrong, the body that says it, what an operation must take to be told so, and the refusal. */
const faults: [string, Fields, Operation["takes"][number] | null, Fields][] = [
  [
    "nothing to redeem",
    { redeemables: [] },
    "redeemables",
    invalid("Property .redeemables must NOT have fewer than 1 items"),
  ],
  [
    "more than 30 redeemables",
    { redeemables: many(31) },
    "redeemables",
    invalid("Property .redeemables must NOT have more than 30 items"),
  ],
  [
    "one redeemable twice",
    { redeemables: [code, code] },
    "redeemables",
    {
      key: "duplicated_redeemables",
      message: "Duplicated redeemables detected",
      details: "Duplicated redeemables detected in one redemption",
    },
  ],
  [
    "an object that there is not",
    { redeemables: [{ object: "gift_card", id: "CODE" }] },
    "redeemables",
    invalid(
      "Property .redeemables[0].object should be equal to one of the allowed values [voucher, promotion_tier, promotion_stack]",
    ),
  ],
  [
    "a redeemable without a name",
    { redeemables: [code, { object: "voucher" }] },
    "redeemables",
    invalid("Property .redeemables[1] should have required property 'id'"),
  ],
  [
    "a stack mixed with others",
    { redeemables: [...stack, code] },
    "redeemables",
    {
      key: "invalid_redeemables",
      message: "Invalid redeemables",
      details: "Promotion Stack cannot be use with other redeemables",
    },
  ],
  [
    "negative credits",
    { redeemables: [{ ...code, gift: { credits: -1 } }] },
    "redeemables",
    invalid("Property .redeemables[0].gift.credits must be >= 0"),
  ],
  [
    "negative points",
    { redeemables: [{ ...code, reward: { id: "rew_1", points: -1 } }] },
    "redeemables",
    invalid("Property .redeemables[0].reward.points must be >= 0"),
  ],
  ["negative credits of its own", { gift: { credits: -1 } }, "card", invalid("Property .gift.credits must be >= 0")],
  [
    "half a point of its own",
    { reward: { id: "rew_1", points: 0.5 } },
    "card",
    invalid("Property .reward.points must be integer,null"),
  ],
  [
    "a session of no time",
    { session: { type: "LOCK", ttl: 0 } },
    "session",
    invalid("Property .session.ttl must be > 0"),
  ],
  [
    "a session in a unit that there is not",
    { session: { type: "LOCK", ttl: 1, ttl_unit: "YEARS" } },
    "session",
    invalid(
      "Property .session.ttl_unit should be equal to one of the allowed values [DAYS, HOURS, MINUTES, SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS]",
    ),
  ],
  [
    "a session that locks nothing",
    { session: { type: "HOLD" } },
    "session",
    invalid("Property .session.type should be equal to one of the allowed values [LOCK]"),
  ],
  [
    "an order of 501 lines",
    order({ items: Array.from({ length: 501 }, () => line) }),
    null,
    invalid("Property .order.items must NOT have more than 500 items"),
  ],
  ["an amount beyond 2^53 - 1", order({ amount: too_much }), null, invalid(`Property .order.amount ${beyond}`)],
  ["a price beyond it", lines({ ...line, price: too_much }), null, invalid(`Property .order.items[0].price ${beyond}`)],
  [
    "a line beyond it",
    lines({ ...line, amount: too_much }),
    null,
    invalid(`Property .order.items[0].amount ${beyond}`),
  ],
  [
    "units beyond it",
    lines({ ...line, quantity: too_much }),
    null,
    invalid(`Property .order.items[0].quantity ${beyond}`),
  ],
  [
    "a price whose units are beyond it",
    lines({ ...line, quantity: 2 ** 27, price: 2 ** 27 }),
    null,
    invalid(`Property .order.items[0].amount ${no_sum}`),
  ],
  [
    "lines whose sum is beyond it",
    lines({ ...line, price: too_much - 1 }, line),
    null,
    invalid(`Property .order.items[1].amount ${no_sum}`),
  ],
  [
    "a negative amount",
    order({ amount: -1 }),
    null,
    { key: "invalid_amount", message: "Invalid Amount", details: "Amount has to be a valid positive number" },
  ],
  [
    "an amount that is no number",
    order({ amount: "ten" }),
    null,
    invalid("Property .order.amount must be number,null"),
  ],
  ["a customer as a text", { customer: "ann" }, null, invalid("Property .customer must be object,null")],
  ["an order as a text", { order: "ord_1" }, null, invalid("Property .order must be object,null")],
  ["metadata as a list", { metadata: [] }, null, invalid("Property .metadata must be object,null")],
];

describe.each(Object.entries(operations))("%s", (_name, { ask, takes }) => {
  const base = takes.includes("redeemables") ? { redeemables: [code] } : {};

  test.each(faults.filter(([, , needed]) => needed === null || takes.includes(needed)))(
    "refuses %s, and writes nothing",
    async (_fault, sent, _needed, says) => {
      const { status, body } = await leavingAll(() => ask({ ...base, ...sent }));
      expect(body).toEqual({ code: 400, ...says, request_id });
      expect(status).toBe(400);
    },
  );
});

describe("a rule on data that is missing", async () => {
  const rule = await aRule(api, "customer.segment", { $is: ["seg_none"] });
  await api.post("/v1/vouchers/RULED", { ...off(100), validation_rules: [rule] }, 200);
  const sent = { redeemables: [{ object: "voucher", id: "RULED" }], order: { amount: 1000, source_id: "new" } };
  const says = {
    key: "missing_customer",
    message: "Missing customer",
    details: "Customer is required to validate rules",
  };

  test.each([
    ["/v1/validations", api],
    ["/client/v1/validations", page],
  ] as const)("is an answer of %s, and nothing is written", async (path, client) => {
    const { body } = await leavingAll(() => client.post(path, sent, 200));
    expect(body.inapplicable_redeemables[0].result.error).toMatchObject({ code: 400, ...says });
  });

  test.each([
    ["/v1/redemptions", api],
    ["/client/v1/redemptions", page],
  ] as const)("fails %s, of which the record and its event are all that is written", async (path, client) => {
    const before = await storedOf(context, project.id);
    const { body } = await client.post(path, sent, 400);
    const record = { resource_id: expect.stringMatching(/^rf_/), resource_type: "redemption" };
    expect(body).toEqual({ code: 400, ...says, request_id, ...record });
    const grown = grownSince(before, await storedOf(context, project.id));
    expect(grown).toEqual({ redemptions: 1, events: 1, outbox_parcels: 1 });
  });
});
