import { describe, expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import { catalogueParts } from "../composition.js";
import { campaignShelf } from "../features/campaigns/index.js";
import { tierShelf } from "../features/promotions/index.js";
import { ruleShelf } from "../features/validation-rules/index.js";
import type { Queries } from "../platform/db/database.js";
import { Unavailable } from "../platform/db/database-errors.js";
import { sql } from "../platform/db/sql.js";
import { budgetOf, createCatalogues } from "./index.js";

const { api, context, project, anotherProject, runDue } = await startService();
const { db } = context;

const versionOf = async (project_id: string) =>
  (
    await db.one<{ version: number }>(sql`
    select project_versions.version from project_versions where project_versions.project_id = ${project_id}`)
  ).version;

/** The connection, telling of the statements that are sent through it. */
function watched() {
  const statements: string[] = [];
  const watching = (run: (...args: never[]) => unknown) =>
    ((...args: [{ text: string }]) => {
      statements.push(args[0].text);
      return run(...(args as unknown as never[]));
    }) as never;
  const queries: Queries = {
    many: watching(db.many),
    maybe: watching(db.maybe),
    one: watching(db.one),
    run: watching(db.run),
  };
  return { queries, statements };
}

/** The connection, and what happens before each statement. */
function meeting(meet: (text: string) => Promise<void>): Queries {
  const met = (run: (...args: never[]) => unknown) =>
    (async (statement: { text: string }) => {
      await meet(statement.text);
      return run(statement as never);
    }) as never;
  return { many: met(db.many), maybe: met(db.maybe), one: met(db.one), run: met(db.run) };
}

const never_held = { name: "order.amount", conditions: { $less_than: [-1] } };
const fresh = async () => openCatalogues().at(db, project.id, await versionOf(project.id));

const openCatalogues = () => createCatalogues(catalogueParts);

const tiers = (name: string) => [{ name, action: { discount: { type: "AMOUNT", amount_off: 100 } } }];
const aPromotion = async (name: string) =>
  (await api.post("/v1/campaigns", { name, promotion: { tiers: tiers(name) } }, 200)).body;
const aRule = async (name: string, by = api) =>
  (await by.post("/v1/validation-rules", { name, rules: { logic: "" } }, 200)).body.id as string;

describe("a catalogue", () => {
  test("re-reads only what an edit changed, one statement a shelf", async () => {
    const [one, other] = [await aPromotion("one"), await aPromotion("other")];
    const rule_id = await aRule("kept");
    const catalogues = openCatalogues();
    const before = await catalogues.at(db, project.id, await versionOf(project.id));
    const [kept, kept_rule] = [before.shelf(campaignShelf).get(other.id), before.shelf(ruleShelf).get(rule_id)];
    await api.put(`/v1/campaigns/${one.id}`, { expiration_date: "2027-01-01T00:00:00Z" }, 200);
    const { queries, statements } = watched();
    const after = await catalogues.at(queries, project.id, await versionOf(project.id));
    // Asked again for edits: none has come while it was read.
    const tables = ["catalogue_changes", "campaigns", "validation_rules_assignments"];
    const asked = statements.map((text) => tables.find((table) => text.includes(`from ${table}\n`)));
    expect([asked.at(0), asked.at(-1)]).toEqual(["catalogue_changes", "catalogue_changes"]);
    // Shelves are read side by side.
    expect(asked.slice(1, -1).sort()).toEqual(["campaigns", "validation_rules_assignments"]);
    expect(after.shelf(campaignShelf).get(one.id)?.window.expiration_date).toBe(Date.parse("2027-01-01"));
    expect(before.shelf(campaignShelf).get(one.id)?.window.expiration_date).toBeNull();
    expect(after.shelf(campaignShelf).get(other.id)).toBe(kept);
    expect(after.shelf(ruleShelf).get(rule_id)).toBe(kept_rule);
    expect(after.shelf(tierShelf).size).toBe(before.shelf(tierShelf).size);
  });

  test.each(["known", "read for the first time"])("that is %s holds no edit without those before it", async (which) => {
    const [campaign, rule_id] = [await aPromotion(`meanwhile ${which}`), await aRule("before")];
    const catalogues = openCatalogues();
    if (which === "known") await catalogues.at(db, project.id, await versionOf(project.id));
    await api.put(`/v1/campaigns/${campaign.id}`, { expiration_date: "2027-01-01T00:00:00Z" }, 200);
    const version = await versionOf(project.id);
    let is_edited = false;
    const meanwhile = meeting(async (text) => {
      if (is_edited || !text.includes("campaigns.campaign_type")) return;
      is_edited = true;
      await api.put(`/v1/validation-rules/${rule_id}`, { name: "after", rules: { logic: "1", 1: never_held } }, 200);
      await api.put(`/v1/campaigns/${campaign.id}`, { expiration_date: "2028-01-01T00:00:00Z" }, 200);
    });
    const read = await catalogues.at(meanwhile, project.id, version);
    expect(read.version).toBe(await versionOf(project.id));
    expect(read.shelf(campaignShelf).get(campaign.id)?.window.expiration_date).toBe(Date.parse("2028-01-01"));
    expect(read.shelf(ruleShelf).get(rule_id)).toEqual((await fresh()).shelf(ruleShelf).get(rule_id));
  });

  test("of a project that is edited without end is not read, and whoever waits is told so", async () => {
    const catalogues = openCatalogues();
    const version = await versionOf(project.id);
    const { id } = await aPromotion("restless");
    const restless = meeting(async (text) => {
      if (text.includes("catalogue_changes")) await api.put(`/v1/campaigns/${id}`, { metadata: {} }, 200);
    });
    await expect(catalogues.at(restless, project.id, version)).rejects.toBeInstanceOf(Unavailable);
  });

  test("forgets what was deleted", async () => {
    const campaign = await aPromotion("short-lived");
    const rule_id = await aRule("short-lived");
    const catalogues = openCatalogues();
    const before = await catalogues.at(db, project.id, await versionOf(project.id));
    expect(before.shelf(ruleShelf).has(rule_id)).toBe(true);
    await api.delete(`/v1/campaigns/${campaign.id}?force=true`);
    await api.delete(`/v1/validation-rules/${rule_id}`, 204);
    const after = await catalogues.at(db, project.id, await versionOf(project.id));
    expect(after.shelf(campaignShelf).has(campaign.id)).toBe(false);
    expect(after.shelf(ruleShelf).has(rule_id)).toBe(false);
    await runDue();
    const last = await catalogues.at(db, project.id, await versionOf(project.id));
    expect(last.shelf(tierShelf).size).toBe(before.shelf(tierShelf).size - 1);
  });

  test("is read once for all who ask at once, and not at all for who asks again", async () => {
    const catalogues = openCatalogues();
    const version = await versionOf(project.id);
    const { queries, statements } = watched();
    const all = await Promise.all(Array.from({ length: 20 }, () => catalogues.at(queries, project.id, version)));
    expect(new Set(all).size).toBe(1);
    const read = statements.length;
    expect(read).toBe(new Set(statements).size);
    await catalogues.at(queries, project.id, version);
    expect(statements).toHaveLength(read);
  });

  test("that one reader could not read is read by the next", async () => {
    const catalogues = openCatalogues();
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
    const rules = (await openCatalogues().at(db, large.id, await versionOf(large.id))).shelf(ruleShelf);
    expect(rules.size).toBe(2500);
    for (const id of ["val_000001", "val_001000", "val_001001", "val_002500"]) expect(rules.get(id)?.id).toBe(id);
    expect(rules.get("val_002501")).toBeUndefined();
  });

  test.each(["the first of them", "one in the middle", "the last", "all of them"])(
    "that has fallen behind edits whose rows have ended is read anew: %s",
    async (which) => {
      const { api, id } = await anotherProject();
      const rules = [await aRule("one", api)];
      const catalogues = openCatalogues();
      const known = await versionOf(id);
      await catalogues.at(db, id, known);
      for (const name of ["two", "three", "four"]) rules.push(await aRule(name, api));
      const ended = { "the first of them": [1], "one in the middle": [2], "the last": [3], "all of them": [1, 2, 3] };
      const versions = ended[which as keyof typeof ended].map((nth) => known + nth);
      await db.run(sql`
        delete from catalogue_changes
         where catalogue_changes.project_id = ${id} and catalogue_changes.version = any(${versions}::bigint[])`);
      const after = await catalogues.at(db, id, await versionOf(id));
      expect(rules.filter((rule_id) => !after.shelf(ruleShelf).has(rule_id))).toEqual([]);
    },
  );

  test("that has fallen behind more edits than are worth looking at is read anew", async () => {
    const { api, id } = await anotherProject();
    const catalogues = openCatalogues();
    await catalogues.at(db, id, await versionOf(id));
    const rule_id = await aRule("late", api);
    const version = await versionOf(id);
    await db.run(sql`
      insert into catalogue_changes (project_id, version, kind, id)
      select ${id}, ${version}, 'segment', 'seg_' || made.n from generate_series(1, 5001) as made (n)`);
    const { queries, statements } = watched();
    const after = await catalogues.at(queries, id, version);
    expect(after.shelf(ruleShelf).has(rule_id)).toBe(true);
    expect(statements.length).toBeGreaterThan(catalogueParts.shelves.length);
  });

  test("compiles windows anew for another time zone", async () => {
    const { id } = await anotherProject({ timezone: "UTC" });
    await db.run(sql`
      insert into campaigns (project_id, id, name, campaign_type, type, auto_join, join_once, use_voucher_metadata_schema,
                             validity_hours, active, metadata, creation_status, vouchers_generation_status, created_at)
      values (${id}, 'camp_1', 'Mornings', 'PROMOTION', 'STATIC', false, false, false,
              '{"daily": [{"start_time": "08:00", "expiration_time": "10:00"}]}', true, '{}', 'DONE', 'DONE', '2026-01-01')`);
    const catalogues = openCatalogues();
    const nine = Date.parse("2026-03-02T09:00:00Z");
    const isOpen = async () =>
      (await catalogues.at(db, id, await versionOf(id))).shelf(campaignShelf).get("camp_1")?.window.check(nine) ===
      null;
    expect(await isOpen()).toBe(true);
    await db.run(sql`update projects set timezone = 'Asia/Tokyo' where projects.id = ${id}`);
    await db.run(sql`
      with moved as (
        update project_versions set version = project_versions.version + 1
         where project_versions.project_id = ${id}
        returning project_versions.project_id, project_versions.version
      )
      insert into catalogue_changes (project_id, version, kind, id) select moved.*, 'project', ${id} from moved`);
    expect(await isOpen()).toBe(false);
  });

  test("of a project that has no room even alone is refused to that project, and to nobody else", async () => {
    const [large, small] = [await anotherProject(), await anotherProject()];
    for (let i = 0; i < 30; i += 1) await aRule(`rule ${i}`, large.api);
    await aRule("rule", small.api);
    const { bytes } = await openCatalogues().at(db, small.id, await versionOf(small.id));
    const catalogues = createCatalogues(catalogueParts, { budget: budgetOf(3 * bytes) });
    const read = async ({ id }: { id: string }) => catalogues.at(db, id, await versionOf(id));
    await read(small);
    await expect(read(large)).rejects.toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect((await read(small)).shelf(ruleShelf).size).toBe(1);
    // What it has grown to by edits counts as what it was read with.
    for (let i = 0; i < 30; i += 1) await aRule(`rule ${i}`, small.api);
    await expect(read(small)).rejects.toMatchObject({ status: 503 });
  });

  test("is read in pages of bytes, however few objects they are", async () => {
    const { id, api: by } = await anotherProject();
    const included = Array.from({ length: 3000 }, (_, i) => ({ object: "product", id: `${"p".repeat(40)}${i}` }));
    const made: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const body = { name: `large ${i}`, rules: { logic: "" }, applicable_to: { included } };
      made.push((await by.post("/v1/validation-rules", body, 200)).body.id);
    }
    const { queries, statements } = watched();
    const rules = (await openCatalogues().at(queries, id, await versionOf(id))).shelf(ruleShelf);
    expect([...rules.rows()].map((row) => row.id).sort()).toEqual(made.sort());
    // What would be too large for one page is asked for again, as two.
    expect(statements.filter((text) => text.includes("from validation_rules\n")).length).toBe(3);
  });

  test("of the project longest unused is let go when memory runs out", async () => {
    const [one, other] = [await anotherProject(), await anotherProject()];
    await aRule("one", one.api);
    await aRule("other", other.api);
    const reads = async (kept_bytes_max: number) => {
      const catalogues = createCatalogues(catalogueParts, { budget: budgetOf(kept_bytes_max) });
      const { queries, statements } = watched();
      for (const { id } of [one, other, one]) await catalogues.at(queries, id, await versionOf(id));
      return statements.length;
    };
    const { bytes } = await openCatalogues().at(db, one.id, await versionOf(one.id));
    expect(await reads(1.5 * bytes)).toBe((await reads(2 ** 20)) * 1.5);
  });
});

test("a rule that this version cannot read never holds", async () => {
  const { id } = await anotherProject();
  await db.run(sql`
    insert into validation_rules (project_id, id, name, rules, applicable_to, type, context_type, created_at)
    values (${id}, 'val_1', 'rule', '{"1": {"name": "from.the.future", "conditions": {}}, "logic": "1"}', '{}', 'expression',
            'global', '2026-01-01')`);
  const rule = (await openCatalogues().at(db, id, await versionOf(id))).shelf(ruleShelf).get("val_1");
  expect(rule?.id).toBe("val_1");
  expect(rule?.judge({ order: null } as never)).not.toBeNull();
});

const refuse = () => Promise.reject(new Error("connection lost"));
