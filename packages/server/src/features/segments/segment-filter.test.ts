import { beforeAll, describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aCustomEvent, aProgram } from "../loyalties/loyalty.fixtures.js";
import { segmentCalls } from "./segment.fixtures.js";

const service = await startService({ project: { timezone: "Europe/Warsaw" } });
const { api, clock, project } = service;
const { passive, aCustomer, idsOf, holds } = segmentCalls(api);

describe("a filter", () => {
  /** Somebody of whom there is something to find in every group of fields. */
  let ann: { id: string; card_id: string; code: string; program_id: string };
  const event = "page_view.v2";

  beforeAll(async () => {
    const { id } = await aCustomer({
      source_id: "ann",
      name: "Ann Lee",
      email: "ann@example.com",
      phone: "+47 123",
      description: "pays late",
      birthdate: "1990-04-10",
      birthday: "1991-05-11",
      address: { city: "Oslo", state: "Viken", country: "Norway", line_1: "Main 1", line_2: "B", postal_code: "0150" },
      metadata: { plan: "gold", "pet.name": "Rex", visits: 7 },
    });
    const customer = { source_id: "ann" };
    const codes = ["SEG-ONE", "SEG-TWO", "SEG-GIFT"];
    const discount = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
    await api.post("/v1/vouchers/SEG-ONE", { ...discount, redemption: { quantity: 1 } }, 200);
    await api.post("/v1/vouchers/SEG-TWO", discount, 200);
    await api.post("/v1/vouchers/SEG-GIFT", { type: "GIFT_VOUCHER", gift: { amount: 1000 } }, 200);
    const redeemed = [];
    for (const code of codes) {
      const redeemables = [{ object: "voucher", id: code }];
      redeemed.push((await api.post("/v1/redemptions", { redeemables, customer, order: { amount: 700 } }, 200)).body);
    }
    await api.post(`/v1/redemptions/${redeemed[1].redemptions[0].id}/rollback`, {}, 200);
    await api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "SEG-ONE" }], customer }, 400);
    clock.advance({ minutes: 1 });
    await api.post("/v1/orders", { customer, amount: 4000, status: "PAID" }, 200);
    const program = await aProgram(service, { name: "Gold. Club of Oslo" }, 250);
    const card = (await api.post(`/v1/loyalties/${program.id}/members`, { customer }, 200)).body;
    const tier = { name: "Top", points: { from: 200 }, metadata: { level: 2 } };
    await api.post(`/v1/loyalties/${program.id}/tiers`, [tier], 200);
    await service.runDue();
    clock.advance({ days: 1 });
    await aCustomEvent(service, project, {}, event);
    for (let sent = 0; sent < 3; sent += 1) await api.post("/v1/events", { event, customer }, 200);
    await api.put("/v1/customers/ann", { phone: "+47 999" }, 200);
    ann = { id, card_id: card.id, code: card.code, program_id: program.id };
  });

  const some = { $more_than: ["0"] };
  // Each row: a field, what holds for Ann, and what does not.
  test.each([
    ["source_id", { $is: "ann" }, { $is: "bob" }],
    ["name", { $contains: ["Lee"] }, { $contains: ["Rex"] }],
    ["email", { $ends_with: "example.com" }, { $is_unknown: "" }],
    ["phone", { $starts_with: "+47 9" }, { $starts_with: "+47 1" }],
    ["description", { $has_value: true }, { $is: "pays" }],
    ["created_at", { $is_days_ago: [1] }, { $today: [true] }],
    ["updated_at", { $today: [true] }, { $before: "2026-03-03" }],
    ["birthdate", { $next_month: [true] }, { $is_years_ago: 36 }],
    ["birthday", { $is_month: 5 }, { $is_month: 4 }],
    ["address.city", { $is: "Oslo" }, { $is: "Bergen" }],
    ["city", { $in: ["Bergen", "Oslo"] }, { $not_in: ["Bergen", "Oslo"] }],
    ["address.state", { $is: "Viken" }, { $is: "Oslo" }],
    ["country", { $is: "Norway" }, { $is: "Sweden" }],
    ["address.line_1", { $is: "Main 1" }, { $is: "B" }],
    ["line_2", { $is: "B" }, { $is: "Main 1" }],
    ["address.postal_code", { $is: "0150" }, { $is: "0151" }],
    ["metadata.plan", { $is: ["gold"] }, { $is: ["tin"] }],
    ["metadata.pet.name", { $is: "Rex" }, { $is_unknown: true }],
    ["metadata.visits", { $more_than: ["6"] }, { $more_than: ["7"] }],
    ["system_metadata.score", { $is_unknown: "" }, { $has_value: "" }],
    ["summary.redemptions.total_redeemed", { $is: [3] }, { $less_than: ["3"] }],
    ["summary.redemptions.total_succeeded", { $is: "3" }, { $is: "2" }],
    ["summary.redemptions.total_failed", { $is: "1" }, { $is: "0" }],
    ["summary.redemptions.total_rolled_back", { $is: 1 }, { $is: 0 }],
    ["summary.redemptions.total_rollback_succeeded", { $is: 1 }, { $is: 0 }],
    ["summary.redemptions.total_rollback_failed", { $is: 0 }, some],
    ["summary.redemptions.gift.redeemed_amount", { $is: 700 }, { $is: 1000 }],
    ["summary.redemptions.gift.amount_to_go", { $is: 0 }, some],
    ["summary.redemptions.loyalty_card.redeemed_points", { $is: 0 }, some],
    ["summary.redemptions.loyalty_card.points_to_go", { $is: 250 }, { $is: 0 }],
    ["summary.orders.total_amount", some, { $is: 0 }],
    ["summary.orders.total_count", { $more_than_equal: 2 }, { $more_than: 99 }],
    ["summary.orders.average_amount", some, { $is: 0 }],
    ["summary.orders.last_order_amount", { $is: 4000 }, { $is_not: 4000 }],
    ["summary.orders.last_order_date", { $yesterday: true }, { $today: true }],
    ["loyalty.points", { $is: ["250"] }, { $more_than: ["250"] }],
    ["loyalty.referred_customers", { $is: 0 }, some],
    ["loyalty.campaigns.Gold. Club of Oslo.points", { $is: 250 }, { $is: 0 }],
    ["loyalty_points.campaigns.Gold. Club of Oslo.points", { $more_than: 249 }, { $more_than: 250 }],
    ["loyalty_tier.name", { $is: "Top" }, { $is_not: "Top" }],
    ["loyalty_tier.metadata.level", { $is: 2 }, { $is: 1 }],
    ["loyalty_tier.start_date", { $yesterday: [true] }, { $today: [true] }],
    ["loyalty_tier.expiration_date", { $is_unknown: true }, { $has_value: true }],
    ["loyalty_tier.campaigns.Gold. Club of Oslo.name", { $in: ["Top"] }, { $in: ["Low"] }],
    ["loyalty_tier.campaigns.Another club.name", { $is_unknown: true }, { $is: "Top" }],
    ["events.page_view.v2.count", { $is: ["3"] }, { $is: ["0"] }],
    ["events.page_view.v2.last_at", { $today: [true] }, { $yesterday: [true] }],
    ["events.never.count", { $is: 0 }, some],
    ["events.never.last_at", { $is_unknown: true }, { $has_value: true }],
    ["publications.created_at", { $yesterday: [true] }, { $today: [true] }],
  ])("may ask for %s", async (field, holding, failing) => {
    const segments = [
      await passive({ [field]: { conditions: holding } }),
      await passive({ [field]: { conditions: failing } }),
    ];
    const found = await idsOf(ann.id);
    expect(segments.map(({ id }) => found.includes(id))).toEqual([true, false]);
  });

  test("may ask for the id, and for the voucher that was given", async () => {
    const by_id = await passive({ id: { conditions: { $is: ann.id } } });
    const by_card = await passive({ "publications.related_object_id": { conditions: { $is: ann.card_id } } });
    expect(await idsOf("ann")).toEqual(expect.arrayContaining([by_id.id, by_card.id]));
    const { id } = await aCustomer();
    const found = await idsOf(id);
    expect([by_id, by_card].filter((segment) => found.includes(segment.id))).toEqual([]);
  });

  test("of publications looks at what was given, not at what was refused", async () => {
    const given = await passive({ "publications.created_at": { conditions: { $has_value: true } } });
    const { id } = await aCustomer({ source_id: "late" });
    const { program_id, code } = ann;
    const path = `/v1/loyalties/${program_id}/members`;
    await api.post(path, { customer: { source_id: "late" }, voucher: code }, 400);
    expect(await holds(given, id)).toBe(false);
    await api.post(path, { customer: { source_id: "late" } }, 200);
    expect(await holds(given, id)).toBe(true);
  });

  test("counts zero for a customer who has done nothing", async () => {
    const { id } = await aCustomer();
    for (const field of [
      "summary.redemptions.total_redeemed",
      "summary.orders.total_count",
      "loyalty.points",
      `events.${event}.count`,
    ]) {
      expect(await holds(await passive({ [field]: { conditions: { $is: 0 } } }), id), field).toBe(true);
    }
  });

  test("joins its fields with its junction", async () => {
    const fields = { city: { conditions: { $is: "Oslo" } }, name: { conditions: { $is: "Bob" } } };
    expect(await holds(await passive(fields), ann.id)).toBe(false);
    expect(await holds(await passive({ ...fields, junction: "or" }), ann.id)).toBe(true);
  });

  test("counts days on the project's calendar", async () => {
    clock.set("2026-03-10T22:30:00Z");
    const { id } = await aCustomer();
    const today = await passive({ created_at: { conditions: { $today: [true] } } });
    clock.set("2026-03-10T22:59:59Z");
    expect(await holds(today, id)).toBe(true);
    clock.set("2026-03-10T23:00:00Z");
    expect(await holds(today, id)).toBe(false);
  });
});
