import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { shopsOf } from "./qualification.fixtures.js";

const service = await startService();
const aShop = shopsOf(service);
const { db } = service.context;

/** Copies of a code, each a millisecond younger than the one before. */
async function copies(project_id: string, code: string, count: number) {
  await db.run(sql`
    insert into vouchers (project_id, id, code, code_key, type, discount, quantity, active, expiration_date, metadata, created_at)
    select vouchers.project_id, 'v_copy_' || lpad(copy.i::text, 6, '0'), 'COPY-' || copy.i, 'COPY-' || copy.i, vouchers.type,
           vouchers.discount, vouchers.quantity, vouchers.active, vouchers.expiration_date, vouchers.metadata,
           vouchers.created_at + copy.i * interval '1 ms'
      from vouchers, generate_series(1, ${count}::int) as copy (i)
     where vouchers.project_id = ${project_id} and vouchers.code = ${code}`);
  service.clock.advance({ ms: count });
}

describe("a shop with more codes than one request looks at", () => {
  test("answers what is newest, and reaches the rest by cursor, past thousands that are over", async () => {
    const shop = await aShop();
    const old = await shop.code();
    const over = await shop.code({}, { expiration_date: "2020-01-01T00:00:00Z" });
    await copies(shop.project_id, over, 10_500);
    const page = await shop.qualify({});
    expect(page).toMatchObject({ data: [], total: 0, has_more: true, more_starting_after: expect.any(String) });
    expect(await shop.walk({ options: {} })).toEqual([old]);
  });

  test("weighs the newest for the best deal, and answers a page at once", async () => {
    const shop = await aShop();
    await copies(shop.project_id, await shop.code(), 12_000);
    const best = await shop.code({ amount_off: 5000 });
    const [first, ...rest] = await shop.found({ options: { sorting_rule: "BEST_DEAL" } });
    expect(first).toBe(best);
    expect(rest).toHaveLength(4);
    expect(await shop.found({ options: { limit: 3 } })).toHaveLength(3);
  });

  test("finds the one that is asked for by its code or id, however old it is", async () => {
    const shop = await aShop();
    const old = await shop.code();
    await copies(shop.project_id, await shop.code(), 12_000);
    const { data } = await shop.qualify({ options: { filters: { code: { conditions: { $is: [old] } } } } });
    expect(data.map(({ id }) => id)).toEqual([old]);
  });
});

test("what alone takes more work than a decision may is left out, as a validation of it is refused", async () => {
  const shop = await aShop();
  const operands = Array.from({ length: 9000 }, (_, i) => `nowhere-${i}`);
  const heavy = shop.leaf("order.metadata", { $contains: operands }, { property: "essay" });
  const rule = await shop.rule({ "1": heavy, logic: "1" });
  const [tier] = await shop.tiers([{ amount_off: 5 }], rule);
  const code = await shop.code();
  const order = { amount: 1000, metadata: { essay: "a colourless green idea ".repeat(2000) } };
  expect(await shop.found({ order })).toEqual([code]);
  const redeemables = [{ object: "promotion_tier", id: tier }];
  const { body } = await shop.api.post("/v1/validations", { redeemables, order }, 400);
  expect(body.key).toBe("decision_too_heavy");
});

describe("filters that take more work than a decision may", () => {
  const essay = "a colourless green idea ".repeat(2000);
  const filter = {
    junction: "and",
    "metadata.essay": { conditions: { $contains: Array.from({ length: 9000 }, (_, i) => `nowhere-${i}`) } },
  };

  test("of a segment are refused with the reason, and hold nobody where segments are listed", async () => {
    const shop = await aShop();
    const id = await shop.segment({ type: "auto-update", filter });
    const held = await shop.segment({ type: "passive", filter: { junction: "and" } });
    const metadata = { essay };
    const customer = (await shop.api.post("/v1/customers", { metadata }, 200)).body.id;
    await shop.tiers([{ amount_off: 5 }]);
    const { body } = await shop.api.post(
      "/v1/qualifications",
      { customer: { id: customer }, order: { amount: 1 } },
      400,
    );
    expect(body).toMatchObject({ key: "decision_too_heavy", resource_id: id });
    const segments = (await shop.api.get(`/v1/customers/${customer}/segments`, 200)).body.data;
    expect(segments.map((segment: { id: string }) => segment.id)).toEqual([held]);
  });

  test("of a collection are refused with the reason", async () => {
    const shop = await aShop();
    await shop.api.post("/v1/product-collections", { type: "AUTO_UPDATE", name: "Essays", filter }, 200);
    await shop.tiers([{ amount_off: 5 }]);
    const items = [{ product_id: "prod_any", quantity: 1, price: 1, metadata: { essay } }];
    const { body } = await shop.api.post("/v1/qualifications", { order: { items } }, 400);
    expect(body.key).toBe("decision_too_heavy");
  });
});

test("segments that take more memory together than one request may have are refused to it", async () => {
  const shop = await aShop();
  const long = Array.from({ length: 250 }, (_, i) => `${i} ${"x".repeat(1000)}`);
  const filter = { junction: "and", name: { conditions: { $in: long } } };
  const id = await shop.segment({ type: "auto-update", filter });
  await db.run(sql`
    insert into segments (project_id, id, name, type, filter, created_at)
    select segments.project_id, segments.id || copy.i, 'copy ' || copy.i, segments.type, segments.filter, segments.created_at
      from segments, generate_series(1, 60) as copy (i)
     where segments.project_id = ${shop.project_id} and segments.id = ${id}`);
  const body = { customer: { id: await shop.customer() }, order: { amount: 1000 } };
  const answer = await shop.api.post("/v1/qualifications", body, 503);
  expect(answer.body.details).toContain("more memory than the service may give one request");
});
