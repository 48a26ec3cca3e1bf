import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";

const { api, project, context, anotherProject } = await startService();

async function aCampaign(name: string) {
  const tiers = ["a", "b", "c"].map((name) => ({ name, action: { discount: { type: "AMOUNT", amount_off: 100 } } }));
  const sent = { name, campaign_type: "PROMOTION", promotion: { tiers } };
  const { body } = await api.post("/v1/campaigns", sent, 200);
  return { id: body.id, tiers: body.promotion.tiers.map(({ id }: { id: string }) => id) as string[] };
}
const stacksOf = (campaign: string) => `/v1/promotions/${campaign}/stacks`;
const told = async (campaign_id: string) => {
  const events = await context.db.many<{ type: string }>(sql`
    select events.type from events
     where events.project_id = ${project.id} and events.entity_id = ${campaign_id} order by events.id`);
  return events.map(({ type }) => type).filter((type) => type.includes("stack"));
};

test("a stack names tiers of its campaign in the order in which they are applied", async () => {
  const { id, tiers } = await aCampaign("Ordered");
  const ids = [tiers[2], tiers[0]];
  const { body } = await api.post(stacksOf("Ordered"), { name: "Both", tiers: { ids }, category: "Shoes" }, 200);
  expect(body).toEqual({
    id: expect.stringMatching(/^stack_/),
    name: "Both",
    tiers: { ids, hierarchy_mode: "MANUAL" },
    campaign_id: id,
    category_id: expect.stringMatching(/^cat_/),
    categories: [],
    created_at: "2026-03-02T10:00:00.000Z",
    object: "promotion_stack",
  });
  const read = { ...body, categories: [expect.objectContaining({ id: body.category_id, name: "Shoes" })] };
  for (const campaign of [id, "Ordered"]) {
    expect((await api.get(`${stacksOf(campaign)}/${body.id}`, 200)).body).toEqual(read);
    const list = (await api.get(stacksOf(campaign), 200)).body;
    expect(list).toEqual({ object: "list", data_ref: "data", data: [read], total: 1 });
  }
});

test("an edit changes what it names, and whoever listens hears of both", async () => {
  const { id, tiers } = await aCampaign("Edited");
  const stack = (await api.post(stacksOf(id), { name: "s", tiers: { ids: tiers }, category: "Hats" }, 200)).body;
  const renamed = (await api.put(`${stacksOf(id)}/${stack.id}`, { name: "t" }, 200)).body;
  expect(renamed).toMatchObject({ name: "t", tiers: { ids: tiers }, category_id: stack.category_id });
  const fewer = { tiers: { ids: [tiers[1]] }, category_id: null };
  expect((await api.put(`${stacksOf(id)}/${stack.id}`, fewer, 200)).body).toMatchObject({
    tiers: { ids: [tiers[1]] },
    category_id: null,
  });
  await api.delete(`${stacksOf(id)}/${stack.id}`, 204);
  await api.get(`${stacksOf(id)}/${stack.id}`, 404);
  const types = ["created", "updated", "updated", "deleted"].map((verb) => `campaign.promotion_stack.${verb}`);
  expect(await told(id)).toEqual(types);
});

describe("is refused", () => {
  test("with a tier that is unknown, or another campaign's, or named twice", async () => {
    const { id, tiers } = await aCampaign("Refusing");
    const other = await aCampaign("Other");
    for (const unknown of ["promo_none", other.tiers[0]]) {
      const sent = { name: "s", tiers: { ids: [tiers[0], unknown] } };
      expect((await api.post(stacksOf(id), sent, 404)).body).toMatchObject({
        details: `Cannot find promotion_tier with id ${unknown}`,
        resource_type: "promotion_tier",
      });
    }
    await api.post(stacksOf(id), { name: "s", tiers: { ids: [tiers[0], tiers[0]] } }, 400);
    expect((await api.get(stacksOf(id), 200)).body.total).toBe(0);
  });

  test.each([
    [{ tiers: { ids: ["x"] } }],
    [{ name: "s" }],
    [{ name: "s", tiers: { ids: [] } }],
    [{ name: "s", tiers: { ids: Array.from({ length: 31 }, (_, i) => `promo_${i}`) } }],
    [{ name: "s", tiers: { ids: ["x"], hierarchy_mode: "AUTO" } }],
  ])("for %j", async (sent) => {
    await api.post("/v1/campaigns", { name: "Schemas", campaign_type: "PROMOTION" });
    expect((await api.post(stacksOf("Schemas"), sent, 400)).body.key).toBe("invalid_payload");
  });

  test("where the campaign or the stack is unknown, and for another project", async () => {
    const { id, tiers } = await aCampaign("Apart");
    const sent = { name: "s", tiers: { ids: tiers } };
    const stack = (await api.post(stacksOf(id), sent, 200)).body;
    expect((await api.post(stacksOf("Nowhere"), sent, 404)).body.resource_type).toBe("campaign");
    expect((await api.get(`${stacksOf(id)}/stack_none`, 404)).body.resource_type).toBe("promotion_stack");
    const other = await anotherProject();
    await other.api.get(`${stacksOf(id)}/${stack.id}`, 404);
    expect((await other.api.get("/v1/promotions/stacks", 200)).body.total).toBe(0);
  });
});

test("a tier that is deleted leaves its stacks, and one that is left empty goes with it", async () => {
  const { id, tiers } = await aCampaign("Shrinking");
  const make = async (name: string, ids: (string | undefined)[]) =>
    (await api.post(stacksOf(id), { name, tiers: { ids } }, 200)).body.id;
  const both = await make("both", [tiers[0], tiers[1]]);
  const alone = await make("alone", [tiers[0]]);
  const without = await make("without", [tiers[1]]);
  await api.delete(`/v1/promotions/tiers/${tiers[0]}`, 204);
  expect((await api.get(`${stacksOf(id)}/${both}`, 200)).body.tiers.ids).toEqual([tiers[1]]);
  await api.get(`${stacksOf(id)}/${alone}`, 404);
  expect((await api.get(`${stacksOf(id)}/${without}`, 200)).body).not.toHaveProperty("updated_at");
});

test("a category that is deleted leaves the stacks that had it", async () => {
  const { id, tiers } = await aCampaign("Categories");
  const stack = (await api.post(stacksOf(id), { name: "s", tiers: { ids: tiers }, category: "Going" }, 200)).body;
  await api.delete(`/v1/categories/${stack.category_id}`, 204);
  expect((await api.get(`${stacksOf(id)}/${stack.id}`, 200)).body).toMatchObject({ category_id: null, categories: [] });
});
