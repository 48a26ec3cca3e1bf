import { describe, expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import type { Queries } from "../platform/database.js";
import { sql } from "../platform/sql.js";
import { createCatalogues } from "./index.js";
import { RuleShelf } from "./rule-shelf.js";

const { api, context, project, anotherProject } = await startService();
const { db } = context;

const versionOf = async (project_id: string) =>
  (
    await db.one<{ version: number }>(sql`
    select project_versions.version from project_versions where project_versions.project_id = ${project_id}`)
  ).version;

/** The connection, counting the statements that are sent through it. */
function counted() {
  const count = { statements: 0 };
  const counting = (run: (...args: never[]) => unknown) =>
    ((...args: never[]) => {
      count.statements += 1;
      return run(...args);
    }) as never;
  const queries: Queries = {
    many: counting(db.many),
    maybe: counting(db.maybe),
    one: counting(db.one),
    run: counting(db.run),
  };
  return { queries, count };
}

const tiers = (name: string) => [{ name, action: { discount: { type: "AMOUNT", amount_off: 100 } } }];
const aPromotion = async (name: string) =>
  (await api.post("/v1/campaigns", { name, promotion: { tiers: tiers(name) } }, 200)).body;
const aRule = async (name: string) =>
  (await api.post("/v1/validation-rules", { name, rules: { logic: "" } }, 200)).body.id as string;

describe("a catalogue", () => {
  test("re-reads only what an edit changed", async () => {
    const [one, other] = [await aPromotion("one"), await aPromotion("other")];
    const rule_id = await aRule("kept");
    const catalogues = createCatalogues();
    const before = await catalogues.at(db, project.id, await versionOf(project.id));
    await api.put(`/v1/campaigns/${one.id}`, { description: "edited" }, 200);
    const after = await catalogues.at(db, project.id, await versionOf(project.id));
    expect(after.campaigns.get(one.id)?.row.description).toBe("edited");
    expect(before.campaigns.get(one.id)?.row.description).not.toBe("edited");
    expect(after.campaigns.get(other.id)).toBe(before.campaigns.get(other.id));
    expect(after.rules.get(rule_id)).toBe(before.rules.get(rule_id));
    expect(after.tiers.size).toBe(before.tiers.size);
  });

  test("forgets what was deleted", async () => {
    const campaign = await aPromotion("short-lived");
    const rule_id = await aRule("short-lived");
    const catalogues = createCatalogues();
    const before = await catalogues.at(db, project.id, await versionOf(project.id));
    await api.delete(`/v1/campaigns/${campaign.id}?force=true`);
    await api.delete(`/v1/validation-rules/${rule_id}`, 204);
    const after = await catalogues.at(db, project.id, await versionOf(project.id));
    expect(after.campaigns.has(campaign.id)).toBe(false);
    expect(after.tiers.size).toBe(before.tiers.size - 1);
    expect(after.rules.has(rule_id)).toBe(false);
  });

  test("is read once for all who ask at once, and not at all for who asks again", async () => {
    const catalogues = createCatalogues();
    const version = await versionOf(project.id);
    const { queries, count } = counted();
    const all = await Promise.all(Array.from({ length: 20 }, () => catalogues.at(queries, project.id, version)));
    expect(new Set(all).size).toBe(1);
    const { statements } = count;
    expect(statements).toBeLessThan(20);
    await catalogues.at(queries, project.id, version);
    expect(count.statements).toBe(statements);
  });

  test("that one reader could not read is read by the next", async () => {
    const catalogues = createCatalogues();
    const version = await versionOf(project.id);
    const broken = { many: refuse, maybe: refuse, one: refuse, run: refuse } as never;
    const [first, second] = await Promise.allSettled([
      catalogues.at(broken, project.id, version),
      catalogues.at(db, project.id, version),
    ]);
    expect(first.status).toBe("rejected");
    expect(second.status).toBe("fulfilled");
  });

  test("of more rules than a page holds is whole", async () => {
    const large = await anotherProject();
    await db.run(sql`
      insert into validation_rules (project_id, id, name, rules, applicable_to, type, context_type, created_at)
      select ${large.id}, 'val_' || lpad(made.n::text, 6, '0'), 'rule', '{"logic": ""}', '{}', 'expression', 'global', '2026-01-01'
        from generate_series(1, 2500) as made (n)`);
    const catalogue = await createCatalogues().at(db, large.id, await versionOf(large.id));
    expect(catalogue.rules.size).toBe(2500);
    expect(catalogue.rules.get("val_002500")?.compiled().id).toBe("val_002500");
  });
});

describe("a rule on the shelf", () => {
  const text = (rules: object) => JSON.stringify({ id: "val_1", rules });

  test("is compiled once", () => {
    const rule = new RuleShelf(10).place(text({ logic: "" }));
    expect(rule.compiled()).toBe(rule.compiled());
  });

  test("is forgotten when too many were met since, and compiled again when it is met again", () => {
    const shelf = new RuleShelf(2);
    const [first, second, third] = [1, 2, 3].map(() => shelf.place(text({ logic: "" })));
    const compiled = first?.compiled();
    second?.compiled();
    third?.compiled();
    expect(first?.compiled()).not.toBe(compiled);
    expect(first?.compiled()).toEqual(compiled);
  });

  test("that this version cannot read never holds", () => {
    const rule = new RuleShelf(10).place(text({ "1": { name: "from.the.future", conditions: {} }, logic: "1" }));
    expect(rule.compiled().id).toBe("val_1");
    expect(rule.compiled().judge({ order: null } as never)).not.toBeNull();
  });
});

const refuse = () => Promise.reject(new Error("connection lost"));
