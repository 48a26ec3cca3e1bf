import { compileRule, normaliseOrder, type RuleContext } from "@guerdon/engine";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { monday_morning, startService, type TestProject } from "../../test/harness/service.js";
import { type Catalogues, createCatalogues } from "../catalogue/index.js";
import { catalogueParts } from "../composition.js";
import { campaignShelf } from "../features/campaigns/index.js";
import { tierShelf } from "../features/promotions/index.js";
import { assignedRules, ruleShelf } from "../features/validation-rules/index.js";
import type { Tx } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";
import { recordEdits } from "../recording/edits.store.js";
import { type EditedObject, readVersion } from "../recording/index.js";
import { workOf } from "./decide-request.js";
import { promotionCandidates } from "./index.js";

const { context, anotherProject } = await startService();
const { db, turns } = context;
const now = Date.parse(monday_morning);
const day = 86_400_000;
const lookingIn = (catalogues: Catalogues) => ({ catalogues, db, turns, work: workOf(turns) });

/** What is stored, as simple as it can be. */
interface Promotions {
  campaigns: Map<string, { active: boolean; from: number; rule: string | null }>;
  tiers: Map<string, { campaign: string; active: boolean; until: number; rule: string | null }>;
  rules: Map<string, object>;
}

const nth = (name: string, count: number) => fc.integer({ min: 1, max: count }).map((n) => `${name}_${n}`);
const leaf = fc.oneof(
  nth("seg", 3).map((id) => ({ name: "customer.segment", conditions: { $in: [id] } })),
  nth("prod", 4).map((id) => ({ name: "order.items.any", conditions: { $is: [{ object: "product", id }] } })),
  nth("pc", 2).map((id) => ({ name: "order.items.any", conditions: { $is: [{ object: "products_collection", id }] } })),
  fc
    .constantFrom(1000, 5000)
    .map((low) => ({ name: "order.initial_amount", conditions: { $more_than_or_equal: [low] } })),
  fc.constant({ name: "order.metadata", property: "channel", conditions: { $is_not: ["app"] } }),
);
const rules = fc
  .tuple(leaf, leaf, fc.constantFrom("1 and 2", "1 or 2"))
  .map(([one, other, logic]) => ({ "1": one, "2": other, logic }));

const edit = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("validation_rule" as const), id: nth("val", 4), rules }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("campaign" as const),
      id: nth("camp", 3),
      active: fc.boolean(),
      from: fc.constantFrom(now - day, now + day),
      rule: fc.option(nth("val", 4)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("promotion_tier" as const),
      id: nth("promo", 8),
      campaign: nth("camp", 3),
      active: fc.boolean(),
      until: fc.constantFrom(now - day, now + day),
      rule: fc.option(nth("val", 4)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("gone" as const), id: nth("promo", 8) }) },
);
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

const iso = (instant: number) => new Date(instant).toISOString();

async function assign(tx: Tx, project_id: string, id: string, type: string, rule: string | null) {
  await tx.run(sql`
    delete from validation_rules_assignments
     where validation_rules_assignments.project_id = ${project_id} and validation_rules_assignments.related_object_id = ${id}`);
  if (rule === null) return;
  await tx.run(sql`
    insert into validation_rules_assignments (project_id, id, rule_id, related_object_id, related_object_type, created_at)
    values (${project_id}, ${`asgm_${id}`}, ${rule}, ${id}, ${type}, ${monday_morning})`);
}

const putRule = (tx: Tx, project_id: string, id: string, of: object) =>
  tx.run(sql`
    insert into validation_rules (project_id, id, name, rules, applicable_to, type, context_type, created_at)
    values (${project_id}, ${id}, ${id}, ${JSON.stringify(of)}, '{}', 'expression', 'global', ${monday_morning})
    on conflict (project_id, id) do update set rules = excluded.rules`);

async function putCampaign(
  tx: Tx,
  project_id: string,
  id: string,
  { active, from, rule }: { active: boolean; from: number; rule: string | null },
) {
  await tx.run(sql`
    insert into campaigns (project_id, id, name, campaign_type, type, auto_join, join_once, use_voucher_metadata_schema,
                           start_date, active, metadata, creation_status, vouchers_generation_status, created_at)
    values (${project_id}, ${id}, ${id}, 'PROMOTION', 'STATIC', false, false, false, ${iso(from)}, ${active}, '{}', 'DONE',
            'DONE', ${monday_morning})
    on conflict (project_id, id) do update set start_date = excluded.start_date, active = excluded.active`);
  await assign(tx, project_id, id, "campaign", rule);
}

/** Stores the edit and does it to the model; what it needs and is not there is made on the way. */
async function store(project_id: string, kept: Promotions, one: Edit) {
  const edits: EditedObject[] = [];
  await db.transaction(async (tx) => {
    edits.length = 0;
    const needed = "rule" in one ? one.rule : null;
    if (needed !== null && !kept.rules.has(needed)) {
      await putRule(tx, project_id, needed, { logic: "" });
      kept.rules.set(needed, { logic: "" });
      edits.push({ kind: "validation_rule", id: needed });
    }
    if (one.kind === "validation_rule") {
      await putRule(tx, project_id, one.id, one.rules);
      kept.rules.set(one.id, one.rules);
    } else if (one.kind === "campaign") {
      await putCampaign(tx, project_id, one.id, one);
      kept.campaigns.set(one.id, one);
    } else if (one.kind === "promotion_tier") {
      if (!kept.campaigns.has(one.campaign)) {
        const campaign = { active: true, from: now - day, rule: null };
        await putCampaign(tx, project_id, one.campaign, campaign);
        kept.campaigns.set(one.campaign, campaign);
        edits.push({ kind: "campaign", id: one.campaign });
      }
      await tx.run(sql`
        insert into promotion_tiers (project_id, id, campaign_id, name, discount, metadata, hierarchy, active,
                                     expiration_date, created_at)
        values (${project_id}, ${one.id}, ${one.campaign}, 'tier', '{"type": "AMOUNT", "amount_off": 1}', '{}', 1,
                ${one.active}, ${iso(one.until)}, ${monday_morning})
        on conflict (project_id, id) do update
           set campaign_id = excluded.campaign_id, active = excluded.active, expiration_date = excluded.expiration_date`);
      await assign(tx, project_id, one.id, "promotion_tier", one.rule);
      kept.tiers.set(one.id, one);
    } else {
      await tx.run(sql`
        delete from promotion_tiers where promotion_tiers.project_id = ${project_id} and promotion_tiers.id = ${one.id}`);
      kept.tiers.delete(one.id);
    }
    edits.push({ kind: one.kind === "gone" ? "promotion_tier" : one.kind, id: one.id });
    await tx.run(recordEdits(project_id, edits));
  });
}

const collections: Record<string, string[]> = { pc_1: ["prod_1", "prod_2"], pc_2: ["prod_3"] };

const cart = fc
  .record({
    segments: fc.subarray(["seg_1", "seg_2", "seg_3"]),
    products: fc.subarray(["prod_1", "prod_2", "prod_3", "prod_4"]),
    price: fc.constantFrom(400, 1000, 5000),
    channel: fc.constantFrom("app", "web"),
  })
  .map(({ segments, products, price, channel }): RuleContext => {
    const items = products.map((product_id) => ({ product_id, quantity: 1, price }));
    return {
      facts: { time_zone: "UTC", metadata: {} } as unknown as RuleContext["facts"],
      customer: { id: "cust_1", source_id: null, metadata: {}, segments: new Set(segments), loyalty_tiers: new Set() },
      order: normaliseOrder({ items, metadata: { channel } }),
      order_after: null,
      instant: now,
      time_zone: "UTC",
      holder_id: null,
      is_standalone: false,
      api_key_id: null,
      user_login: null,
      event_metadata: null,
      counter: () => 0,
      discount: null,
      gift_credits: null,
      points: null,
      in_collection: (id, line) => collections[id]?.includes(line.product_id ?? "") ?? false,
      scenario: "ALL",
    };
  });

/** The oracle: every tier of the model, its rules compiled anew and judged. */
function applying({ campaigns, tiers, rules }: Promotions, situation: RuleContext): string[] {
  const holds = (id: string | null) => {
    if (id === null) return true;
    const compiled = compileRule({ id, rules: rules.get(id) });
    return "rule" in compiled && compiled.rule.judge(situation) === null;
  };
  return [...tiers].flatMap(([id, tier]) => {
    const campaign = campaigns.get(tier.campaign);
    const is_on = tier.active && tier.until >= now && campaign?.active && campaign.from <= now;
    return is_on && holds(tier.rule) && holds(campaign.rule) ? [id] : [];
  });
}

async function aShop() {
  const { api, id } = await anotherProject();
  for (const [collection_id, products] of Object.entries(collections)) {
    await db.run(sql`
      insert into product_collections (project_id, id, name, type, created_at)
      values (${id}, ${collection_id}, ${collection_id}, 'STATIC', ${monday_morning})`);
    for (const [position, product] of products.entries()) {
      await db.run(sql`
        insert into product_collection_members (project_id, collection_id, object, member_id, position)
        values (${id}, ${collection_id}, 'product', ${product}, ${position + 1})`);
    }
  }
  return { api, id } satisfies Pick<TestProject, "api" | "id">;
}

describe("the candidates of a situation", () => {
  test("hold every promotion that applies, on the catalogue they stand in, through random edits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { minLength: 3, maxLength: 14 }),
        fc.array(cart, { minLength: 1, maxLength: 3 }),
        fc.nat(4),
        async (edits, carts, first_look) => {
          const { id } = await aShop();
          const catalogues = createCatalogues(catalogueParts);
          const kept: Promotions = { campaigns: new Map(), tiers: new Map(), rules: new Map() };
          for (const [i, one] of edits.entries()) {
            await store(id, kept, one);
            if (i < first_look) continue;
            const version = await readVersion(db, id);
            const situation = carts[i % carts.length] as RuleContext;
            const { catalogue, tier_ids } = await promotionCandidates(
              lookingIn(catalogues),
              { project_id: id, version },
              situation,
              "ALL",
              ["tier_ids"],
            );
            expect(catalogue.version).toBe(version);
            const found = tier_ids.filter((tier_id) => applyingOn(catalogue, tier_id, situation));
            expect(found.sort()).toEqual(applying(kept, situation).sort());
            expect(new Set(tier_ids).size).toBe(tier_ids.length);
          }
        },
      ),
      { numRuns: process.env.GUERDON_TEST_LONG ? 200 : 25 },
    );
  });

  test("are few: what is switched off, over, or for other products is not among them", async () => {
    const { id } = await aShop();
    const kept: Promotions = { campaigns: new Map(), tiers: new Map(), rules: new Map() };
    const mug = {
      "1": { name: "order.items.any", conditions: { $is: [{ object: "product", id: "prod_4" }] } },
      logic: "1",
    };
    await store(id, kept, { kind: "validation_rule", id: "val_1", rules: mug } as never);
    const tier = { kind: "promotion_tier", campaign: "camp_1", active: true, until: now + day, rule: null } as const;
    await store(id, kept, { ...tier, id: "promo_1" });
    await store(id, kept, { ...tier, id: "promo_2", active: false });
    await store(id, kept, { ...tier, id: "promo_3", until: now - day });
    await store(id, kept, { ...tier, id: "promo_4", rule: "val_1" });
    const [situation] = fc.sample(cart, 1) as [RuleContext];
    const empty = { ...situation, order: normaliseOrder({ items: [] }) };
    const ask = async () => {
      const at = { project_id: id, version: await readVersion(db, id) };
      return (await promotionCandidates(lookingIn(createCatalogues(catalogueParts)), at, empty, "ALL", ["tier_ids"]))
        .tier_ids;
    };
    expect(await ask()).toEqual(["promo_1"]);
  });
});

function applyingOn(
  catalogue: Awaited<ReturnType<typeof promotionCandidates>>["catalogue"],
  id: string,
  situation: RuleContext,
) {
  const tier = catalogue.shelf(tierShelf).get(id);
  const campaign = tier && catalogue.shelf(campaignShelf).get(tier.campaign_id);
  if (!tier?.active || !campaign?.active) return false;
  const rule_ids = [...assignedRules(catalogue, id), ...assignedRules(catalogue, campaign.id)];
  return (
    tier.window.check(now) === null &&
    campaign.window.check(now) === null &&
    rule_ids.every((rule_id) => catalogue.shelf(ruleShelf).get(rule_id)?.judge(situation) === null)
  );
}
