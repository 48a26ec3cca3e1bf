import { afterAll, describe, expect, test, vi } from "vitest";
import { aDatabase } from "../../../test/harness/database.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { bulkOn } from "../async-actions/async-action.fixtures.js";
import { aCustomEvent, aName, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aMarker, tablesWith as dumped } from "./permanent-deletion.fixtures.js";
import { settled_ms } from "./traces.js";

// All tables are read, and what other files left there is much.
const database_url = await aDatabase(afterAll);
const service = await startService({ database_url });
const { api, context, project, runDue, management, clock } = service;
const { finished } = bulkOn(service);
const { db } = context;

const { marker, marked } = aMarker();
const tablesWith = (text: string) => dumped(db, text);

/** A person who has left something everywhere. */
async function aPerson() {
  const source_id = marked("source");
  const profile = {
    name: marked("name"),
    email: `${marker}@example.com`,
    phone: marked("phone"),
    description: marked("description"),
    birthday: marked("birthday"),
    address: { city: marked("city"), state: marked("state"), line_1: marked("line"), line_2: marked("line2") },
    metadata: { nested: { deep: marked("metadata") } },
  };
  const customer = { source_id, ...profile };
  await management.post(
    `/management/v1/projects/${project.id}/webhooks`,
    { target_url: "https://hooks.example/", events: ["customer.created", "customer.updated", "redemption.succeeded"] },
    200,
  );
  const key = { "idempotency-key": aName("key") };
  const raw = JSON.stringify(customer);
  const { body } = await api.send("POST", "/v1/customers", { raw, headers: key, status: 200 });
  await api.post("/v1/segments", { name: aName("S"), type: "static", customers: [body.id] }, 200);
  const program = await aProgram(service, {}, 1000);
  const joining = { customer, metadata: { m: marked("publication") }, source_id: marked("publication-source") };
  const card = (await api.post(`/v1/loyalties/${program.id}/members`, joining, 200)).body;
  await api.post(
    "/v1/publications",
    { campaign: { name: program.id }, customer, metadata: { m: marked("refused") } },
    400,
  );
  const event = await aCustomEvent(service, project);
  await api.post("/v1/events", { event: event.name, customer, metadata: { m: marked("event") } }, 200);
  const code = aName("CODE");
  await api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  const items = [
    { product_id: "prod_none", quantity: 1, amount: 4000, metadata: { gift_for: marked("line-metadata") } },
  ];
  const order = { source_id: marked("order"), items, metadata: { note: marked("order-metadata") } };
  const redeemables = [{ object: "voucher", id: code }];
  const redemption = { redeemables, customer, order, metadata: { m: marked("redemption") } };
  const redeemed = (await api.post("/v1/redemptions", redemption, 200)).body.redemptions[0];
  await api.put(`/v1/orders/${redeemed.order.id}`, { metadata: { note: marked("order-later") } }, 200);
  await api.post("/v1/redemptions", { ...redemption, redeemables: [{ object: "voucher", id: "NONE" }] }, 404);
  await api.post("/v1/validations", redemption, 200);
  const bulk = await api.post("/v1/customers/bulk/async", [{ ...customer, metadata: { more: marked("bulk") } }], 202);
  const off = { source_id, metadata: { long: "x".repeat(65_500) } };
  const refused = await api.post("/v1/customers/bulk/async", [off], 202);
  const file = await api.post("/v1/exports", { exported_object: "customer" }, 200);
  const actions = [await finished(project, bulk), await finished(project, refused)];
  await runDue();
  return { source_id, id: body.id as string, code, card, redeemed, key, raw, actions, file: file.body.id as string };
}

describe("POST /v1/customers/:customerId/permanent-deletion", () => {
  test("leaves nothing of the person anywhere, and the books as they were", async () => {
    const { source_id, id, code, card, redeemed, key, raw, actions, file } = await aPerson();
    expect(actions.map(({ result }) => result.errors.length)).toEqual([0, 1]);
    // The minutes until it is looked for once more pass at once here, and the log of refusals waits for a second in any case.
    const written = async () => expect(await tablesWith(marker)).toContain("explained_refusals");
    await vi.waitFor(written, { timeout: 10_000, interval: 100 });
    expect(await tablesWith(marker)).toEqual(
      expect.arrayContaining(["async_action_rows", "async_actions", "customers", "events", "kept_answers", "orders"]),
    );
    expect(await tablesWith(marker)).toEqual(
      expect.arrayContaining(["export_parts", "order_states", "publications", "redemptions", "send_outs"]),
    );
    const books = async () =>
      db.many(sql`
        select 'ledger' as book, count(*) as rows, coalesce(sum(ledger_entries.amount), 0) as total from ledger_entries
         where ledger_entries.project_id = ${project.id}
        union all
        select 'cards', count(*), sum(card_balances.balance) from card_balances where card_balances.project_id = ${project.id}
        union all
        select 'redemptions', count(*), sum(redemptions.amount) from redemptions where redemptions.project_id = ${project.id}
        union all
        select 'usage', count(*), sum(voucher_usage.redeemed_quantity) from voucher_usage
         where voucher_usage.project_id = ${project.id}`);
    const before = await books();

    const { body } = await api.post(`/v1/customers/${source_id}/permanent-deletion`, undefined, 200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^del_/),
      related_object_id: id,
      related_object: "customer",
      status: "DONE",
      data_json: { events: 1, daily_events: 0, segments: 1, orders: 1, customer: 1 },
      object: "pernament_deletion",
    });
    expect(body.data_json.customer_events).toBeGreaterThan(3);
    clock.advance({ ms: settled_ms });
    await runDue();
    expect(await tablesWith(marker)).toEqual([]);
    expect(await books()).toEqual(before);

    await api.get(`/v1/customers/${id}`, 404);
    await api.get(`/v1/exports/${file}`, 404);
    await api.post(`/v1/customers/${id}/permanent-deletion`, undefined, 404);
    const shown = (await api.get(`/v1/redemptions/${redeemed.id}`, 200)).body;
    expect(shown).toMatchObject({ result: "SUCCESS", customer_id: id, customer: null, tracking_id: null });
    expect(shown.order.total_amount).toBe(3900);
    expect((await api.get(`/v1/vouchers/${code}`, 200)).body.redemption.redeemed_quantity).toBe(1);
    const kept = (await api.get(`/v1/vouchers/${card.code}`, 200)).body;
    expect(kept).toMatchObject({ publish: { count: 1 }, loyalty_card: { balance: 1000 } });
    expect(kept).not.toHaveProperty("holder_id");
    const { publications } = (await api.get(`/v1/publications?voucher=${card.code}`, 200)).body;
    expect(publications).toMatchObject([{ customer_id: id, metadata: {}, source_id: null, tracking_id: null }]);
    // What was done once is not done again: the key still says so, and the answer is gone.
    const again = await api.send("POST", "/v1/customers", { raw, headers: key, status: 422 });
    expect(again.body.key).toBe("idempotent_answer_too_large");
    const report = await fetch(actions[0].result.reports[0]);
    expect((await report.text()).split("\n")[1]).toBe(",true,true,");
  });

  test("frees the source id, and leaves everybody else alone", async () => {
    const [one, other] = [aName("c"), aName("c")];
    const { id } = (await api.post("/v1/customers", { source_id: one, metadata: { a: 1 } }, 200)).body;
    await api.post("/v1/customers", { source_id: other, name: "Other" }, 200);
    await api.post(`/v1/customers/${id}/permanent-deletion`, undefined, 200);
    expect((await api.get(`/v1/customers/${encodeURIComponent(other)}`, 200)).body.name).toBe("Other");
    const again = (await api.post("/v1/customers", { source_id: one }, 200)).body;
    expect(again.id).not.toBe(id);
    expect(again.metadata).toEqual({});
  });
});
