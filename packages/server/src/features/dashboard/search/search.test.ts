import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import type { Queries } from "../../../platform/db/database.js";
import { plannedEachTime, sql } from "../../../platform/db/sql.js";
import { someoneIn } from "../../people/people.fixtures.js";
import { findAnything } from "./search.store.js";

const service = await startService();
const { project, context, anotherProject } = service;
const { api } = project;
const { browser } = await someoneIn(service, project.id, "VIEWER");
const found = async (q: string, by = browser) =>
  (await by.get(`/dashboard/v1/search?q=${encodeURIComponent(q)}`, 200)).body.data as Record<string, unknown>[];

const discount = { type: "AMOUNT", amount_off: 100 };
const name = uniqueText("Spring");
const { id: campaign_id } = (
  await api.post(
    "/v1/campaigns",
    { name, campaign_type: "DISCOUNT_COUPONS", voucher: { type: "DISCOUNT_VOUCHER", discount } },
    200,
  )
).body;
const { id: voucher_id, code } = (await api.post(`/v1/vouchers/${uniqueText("CODE")}`, { discount }, 200)).body;
const profile = { source_id: uniqueText("shop"), name: "Ada", email: `${uniqueText("ada")}@example.com` };
const customer = (await api.post("/v1/customers", profile, 200)).body;
const order = { source_id: uniqueText("order"), amount: 1_000 };
const redemption = (await api.post(`/v1/vouchers/${code}/redemption`, { customer: { id: customer.id }, order }, 200))
  .body;
const of_customer = { object: "customer", id: customer.id, name: "Ada" };
const of_order = { object: "order", id: redemption.order.id, name: order.source_id };
const of_campaign = { object: "campaign", id: campaign_id, name, found_by: "name" };

describe("what is pasted into the search", () => {
  test.each<[string, string, object]>([
    ["a code", code, { object: "voucher", id: voucher_id, name: code, found_by: "code" }],
    [
      "a code in small letters",
      code.toLowerCase(),
      { object: "voucher", id: voucher_id, name: code, found_by: "code" },
    ],
    ["a customer's id", customer.id, { ...of_customer, found_by: "id" }],
    ["a customer's source id", profile.source_id, { ...of_customer, found_by: "source_id" }],
    ["a customer's e-mail address", profile.email, { ...of_customer, found_by: "email" }],
    ["an order's id", redemption.order.id, { ...of_order, found_by: "id" }],
    ["an order's source id", order.source_id, { ...of_order, found_by: "source_id" }],
    ["a redemption's id", redemption.id, { object: "redemption", id: redemption.id, name: null, found_by: "id" }],
    ["a campaign's name", name, of_campaign],
    ["its beginning in any case", name.slice(0, -1).toUpperCase(), of_campaign],
    ["with spaces around it", `  ${code} `, { object: "voucher", id: voucher_id, name: code, found_by: "code" }],
  ])("is found: %s", async (_what, q, expected) => expect(await found(q)).toEqual([expected]));

  test("is nothing but itself: a part of a code, a pattern, a space", async () => {
    for (const q of [code.slice(0, -1), `%${name.slice(1)}`, "_pring", " ", "'; --"])
      expect(await found(q)).toEqual([]);
    await browser.get("/dashboard/v1/search?q=", 400);
    await browser.get("/dashboard/v1/search", 400);
  });

  test("is a code as it is typed first, and then one that differs in its letters' case alone", async () => {
    const large = uniqueText("TWIN");
    for (const one of [large, large.toLowerCase()]) await api.post(`/v1/vouchers/${one}`, { discount }, 200);
    for (const typed of [large, large.toLowerCase()])
      expect((await found(typed)).map((one) => one.name)).toEqual([
        typed,
        typed === large ? large.toLowerCase() : large,
      ]);
  });

  test("is looked for in its project alone", async () => {
    const elsewhere = await anotherProject();
    const { browser: stranger } = await someoneIn(service, elsewhere.id, "ADMIN");
    for (const q of [code, customer.id, profile.source_id, profile.email, order.source_id, redemption.id, name])
      expect(await found(q, stranger)).toEqual([]);
  });

  test("is there no more once it was deleted", async () => {
    const gone = (await api.post(`/v1/vouchers/${uniqueText("GONE")}`, { discount }, 200)).body.code;
    expect(await found(gone)).toHaveLength(1);
    await api.delete(`/v1/vouchers/${gone}`, 204);
    expect(await found(gone)).toEqual([]);
  });

  test("is shown to whoever may read it: at a till there are no campaigns", async () => {
    const { browser: till } = await someoneIn(service, project.id, "MERCHANT");
    expect(await found(code, till)).toHaveLength(1);
    expect(await found(name, till)).toEqual([]);
  });
});

test("of many thousands each probe reads the rows that it finds, and no others", async () => {
  const { id: project_id } = await anotherProject();
  const { db } = context;
  const count = 5_000;
  const numbered = sql`generate_series(1, ${count}) as n`;
  const at = "2026-03-02T10:00:00Z";
  await db.run(sql`
    insert into customers (project_id, id, source_id, name, email, metadata, system_metadata, created_at)
    select ${project_id}, 'cust_' || n, 'source ' || n, 'name', 'e' || n || '@example.com', '{}', '{}', ${at} from ${numbered}`);
  await db.run(sql`
    insert into orders (project_id, id, source_id, status, currency, items, metadata, created_at)
    select ${project_id}, 'ord_' || n, 'order ' || n, 'CREATED', 'EUR', '[]', '{}', ${at} from ${numbered}`);
  await db.run(sql`
    insert into campaigns select (jsonb_populate_record(campaigns, jsonb_build_object(
      'project_id', ${project_id}::text, 'id', 'camp_' || n, 'name', 'Sale ' || n))).*
      from campaigns, ${numbered} where campaigns.project_id = ${project.id} and campaigns.id = ${campaign_id}`);
  // The other tables hold a page or none, which PostgreSQL rightly reads whole.
  const filled = ["customers", "orders", "campaigns"];
  await db.run(sql`analyze customers, orders, campaigns`);
  let scans: Scan[] = [];
  const explained: Pick<Queries, "many"> = {
    async many(statement) {
      const text = `explain (analyze, format json) ${statement.text}`;
      const [row] = await db.many<{ "QUERY PLAN": [{ Plan: Scan }] }>({ ...plannedEachTime(statement), text });
      scans = nodesOf(row?.["QUERY PLAN"][0].Plan).filter((node) => filled.includes(node["Relation Name"] ?? ""));
      return [];
    },
  };
  for (const text of ["source 77", "e77@example.com", "order 77", "Sale 1", "NOBODY"]) {
    await findAnything(explained, { project_id, text, code_keys: [text, text.toLowerCase()] });
    expect(new Set(scans.map((scan) => scan["Relation Name"]))).toEqual(new Set(filled));
    for (const scan of scans) {
      expect(scan["Node Type"]).not.toBe("Seq Scan");
      expect(scan["Rows Removed by Filter"] ?? 0).toBe(0);
      expect(scan["Rows Removed by Index Recheck"] ?? 0).toBe(0);
      expect(scan["Actual Rows"]).toBeLessThanOrEqual(5);
    }
  }
});

interface Scan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Scan[];
}

const nodesOf = (node: Scan | undefined): Scan[] => (node ? [node, ...(node.Plans ?? []).flatMap(nodesOf)] : []);
