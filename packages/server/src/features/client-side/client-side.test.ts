import { describe, expect, test } from "vitest";
import { invalidPayload } from "../../../test/harness/exact-bodies.js";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService } from "../../../test/harness/service.js";
import { makersOn } from "./client-side.fixtures.js";

const { api, page, project, context } = await startService();

const { aVoucher, aRule } = makersOn(api);

const asking = (code: string, more: object = {}) => ({
  redeemables: [{ object: "voucher", id: code }],
  order: { amount: 1000 },
  ...more,
});
const redeemed = async (code: string): Promise<number> =>
  (await api.get(`/v1/vouchers/${code}/redemption`, 200)).body.redeemed_quantity;

/** An answer without what is made up anew for each. */
const lasting = (body: object) =>
  JSON.parse(JSON.stringify(body).replace(/"(valid|ordli|ord|r|v)_[0-9a-z]{27}"|"v-[0-9a-f]{18}"/g, '"<new>"'));

describe("POST /client/v1/validations", () => {
  test("takes the same bodies and answers the same as the server side (redemption.md §16)", async () => {
    const code = await aVoucher({ metadata: { colour: "red" } });
    const disabled = await aVoucher({ active: false });
    for (const body of [
      asking(code),
      asking(code, { options: { expand: ["order", "redeemable", "redemption", "category"] } }),
      asking(code, { customer: { source_id: "ann", metadata: { plan: "gold" } }, metadata: { page: "cart" } }),
      { redeemables: [code, disabled, "NOBODYS"].map((id) => ({ object: "voucher", id })), order: { amount: 1000 } },
    ]) {
      const on_page = (await page.post("/client/v1/validations", body, 200)).body;
      expect(lasting(on_page)).toEqual(lasting((await api.post("/v1/validations", body, 200)).body));
    }
  });

  test("locks what it is asked to, for the server to redeem", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const session = { type: "LOCK", key: "cart-1", ttl: 1, ttl_unit: "HOURS" };
    await page.post("/client/v1/validations", asking(code, { session }), 200);
    await api.post("/v1/redemptions", asking(code), 400);
    await api.post("/v1/redemptions", asking(code, { session: { type: "LOCK", key: "cart-1" } }), 200);
  });

  test("stores neither customer nor order", async () => {
    const code = await aVoucher();
    const more = { customer: { source_id: "looking" }, order: { source_id: "looked-at", amount: 100 } };
    await page.post("/client/v1/validations", asking(code, more), 200);
    await api.get("/v1/customers/looking", 404);
    await api.get("/v1/orders/looked-at", 404);
  });

  test.each(["/client/v1/validations", "/client/v1/redemptions"])("and %s never explain themselves", async (path) => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const body = asking(code, { options: { expand: ["explanation"] } });
    expect((await page.post(path, body, 400)).body).toEqual(
      invalidPayload(
        "Property .options.expand[0] should be equal to one of the allowed values [order, redemption, redeemable, category]",
      ),
    );
    expect(await redeemed(code)).toBe(0);
    await api.post("/v1/validations", body, 200);
  });

  test.each<[object, string]>([
    [{}, "Payload must have required property 'redeemables'"],
    [{ redeemables: [] }, "Property .redeemables must NOT have fewer than 1 items"],
    [{ redeemables: [{ object: "voucher" }] }, "Property .redeemables[0] should have required property 'id'"],
  ])("refuses %j", async (body, details) => {
    expect((await page.post("/client/v1/validations", body, 400)).body).toEqual(invalidPayload(details));
  });
});

describe("POST /client/v1/redemptions", () => {
  test("redeems as the server side does, and names the client-side key", async () => {
    const code = await aVoucher();
    const { body } = await page.post("/client/v1/redemptions", asking(code, { metadata: { from: "page" } }), 200);
    const channel = { channel_id: project.client_id, channel_type: "API" };
    expect(body).toMatchObject({
      redemptions: [{ result: "SUCCESS", status: "SUCCEEDED", channel, metadata: { from: "page" } }],
      order: { status: "PAID", total_amount: 900 },
      inapplicable_redeemables: [],
      skipped_redeemables: [],
    });
    expect(await redeemed(code)).toBe(1);
    const stored = await api.get(`/v1/redemptions/${body.redemptions[0].id}`, 200);
    expect(stored.body).toMatchObject({ result: "SUCCESS", channel });
  });

  test("tells its event under the client side's channel and key", async () => {
    const code = await aVoucher();
    const { body } = await page.post("/client/v1/redemptions", asking(code), 200);
    const { sql } = await import("../../platform/db/sql.js");
    const events = await context.db.many<{ source: object }>(sql`
      select events.event_source as source from events
       where events.project_id = ${project.id} and events.data::text like ${`%${body.redemptions[0].id}%`}`);
    expect(events.length).toBeGreaterThan(0);
    const source = { channel: "CLIENT_API", api_key: { app_id: project.client_id, name: "Client-side key" } };
    for (const event of events) expect(event.source).toEqual(source);
  });

  test("counts for limits per key as the key of the page, apart from the server's", async () => {
    const rule = await aRule("redemption.count.per_api_key", { $less_than_or_equal: [1] });
    const code = await aVoucher({ validation_rules: [rule] });
    await page.post("/client/v1/redemptions", asking(code), 200);
    await page.post("/client/v1/redemptions", asking(code), 400);
    await api.post("/v1/redemptions", asking(code), 200);
  });

  test("fails with a record, as the server side does", async () => {
    const code = await aVoucher({ active: false });
    const { body } = await page.post("/client/v1/redemptions", asking(code), 400);
    expect(body).toMatchObject({ key: "voucher_disabled", resource_type: "redemption" });
    const record = (await api.get(`/v1/redemptions/${body.resource_id}`, 200)).body;
    expect(record).toMatchObject({ failure_code: "voucher_disabled", channel: { channel_id: project.client_id } });
    expect((await page.post("/client/v1/redemptions", asking("NOBODYS"), 404)).body).toMatchObject({
      key: "not_found",
      resource_id: "NOBODYS",
      resource_type: "voucher",
    });
  });

  test("lets a hundred pages race for the last of a code, and one wins", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => page.post("/client/v1/redemptions", asking(code))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await redeemed(code)).toBe(1);
  });
});

describe("a page that names a customer", () => {
  const stored = { name: "Ann Example", email: "ann@example.com", metadata: { plan: "for gold members" } };
  // With spaces and signs that no id or token has.
  const told_elsewhere = /gold members|Ann Example|ann@example|555 010/;

  test.each([
    ["/client/v1/redemptions", (code: string, customer: object) => asking(code, { customer })],
    ["/client/v1/redeem", (_: string, customer: object) => ({ customer })],
  ])("by %s is told of them what it said itself, and nothing that the shop knows", async (path, bodyOf) => {
    const source_id = uniqueText("known");
    await api.post("/v1/customers", { source_id, ...stored, phone: "+1 555 010" }, 200);
    const code = await aVoucher();
    const redeem = async (customer: object) => {
      const answer = await page.post(`${path}?code=${code}`, bodyOf(code, customer), 200);
      expect(JSON.stringify(answer.body)).not.toMatch(told_elsewhere);
      return answer.body.redemptions?.[0] ?? answer.body;
    };
    expect((await redeem({ source_id })).customer).toMatchObject({ source_id, name: null, email: null, metadata: {} });
    const { id, customer } = await redeem({ source_id, name: "Annie", metadata: { size: 42 } });
    expect(customer).toMatchObject({
      name: "Annie",
      email: null,
      metadata: {},
    });
    // What is stored is whole, and the server reads it.
    expect((await api.get(`/v1/customers/${source_id}`, 200)).body).toMatchObject({
      ...stored,
      name: "Annie",
      metadata: { ...stored.metadata, size: 42 },
    });
    const redemption = (await api.get(`/v1/redemptions/${id}`, 200)).body;
    expect(redemption.customer).toMatchObject({ name: "Annie", email: "ann@example.com" });
  });

  test("in a stack is told no more by the parent", async () => {
    await api.post("/v1/customers", { source_id: "stacked", ...stored }, 200);
    const redeemables = [await aVoucher(), await aVoucher()].map((id) => ({ object: "voucher", id }));
    const request = { redeemables, order: { amount: 1000 }, tracking_id: "stacked" };
    const { body } = await page.post("/client/v1/redemptions", request, 200);
    for (const { customer } of [body.parent_redemption, ...body.redemptions]) {
      expect(customer).toMatchObject({ source_id: "stacked", name: null, email: null, metadata: {} });
    }
  });
});

describe("GET /client/v1/promotions/tiers", () => {
  test("lists what the server side lists", async () => {
    const tiers = ["one", "two"].map((name) => ({ name, action: { discount: { type: "AMOUNT", amount_off: 100 } } }));
    await api.post("/v1/campaigns", { name: "tiers", campaign_type: "PROMOTION", promotion: { tiers } }, 200);
    for (const query of ["", "?limit=1", "?limit=1&page=2&order=created_at", "?is_available=true"]) {
      const { body } = await page.get(`/client/v1/promotions/tiers${query}`, 200);
      expect(body).toEqual((await api.get(`/v1/promotions/tiers${query}`, 200)).body);
    }
    expect((await page.get("/client/v1/promotions/tiers?limit=0", 400)).body.key).toBe("invalid_query_params");
  });
});

describe("POST /client/v1/qualifications", () => {
  test("takes the same bodies and answers the same as the server side, every scenario", async () => {
    await aVoucher({ metadata: { colour: "red" } });
    for (const scenario of ["ALL", "CUSTOMER_WALLET", "AUDIENCE_ONLY", "PRODUCTS", "PROMOTION_STACKS"]) {
      const options = { limit: 50, sorting_rule: "BEST_DEAL", expand: ["redeemable", "category", "validation_rules"] };
      const body = { scenario, options, customer: { source_id: "ann" }, order: { amount: 1000 } };
      const on_page = (await page.post("/client/v1/qualifications", body, 200)).body;
      expect(lasting(on_page)).toEqual(lasting((await api.post("/v1/qualifications", body, 200)).body));
    }
    const { body } = await page.post("/client/v1/qualifications", { options: { limit: 51 } }, 400);
    expect(body.key).toBe("invalid_payload");
  });
});
