import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, sql } from "../../platform/db/sql.js";
import { insertInto, int8, sets, table, text, timestamptz } from "../../platform/db/table.js";
import type { Category } from "./category.js";

const categories = table<Category>("categories", {
  id: text,
  name: text,
  hierarchy: int8,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = categories;

/** All categories of a project, newest first; a project has few. */
export const findCategories = (db: Queries, project_id: string) =>
  db.many<Category>(sql`
    select ${fields} from categories
     where categories.project_id = ${project_id}
     order by categories.created_at desc, categories.id desc`);

export const findCategoriesByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Category>(sql`
    select ${fields} from categories
     where categories.project_id = ${project_id} and categories.id = any(${ids}::text[])`);

/** A page of the categories in the order of their ids: what a catalogue begins with. */
export const categoryTextsAfter = (project_id: string, after_id: string, limit: number) =>
  sql`
    select categories.id, categories.hierarchy::text as text from categories
     where categories.project_id = ${project_id} and categories.id > ${after_id}
     order by categories.id
     limit ${limit}`;

export const categoryTextsOfIds = (project_id: string, ids: readonly string[]) =>
  sql`
    select categories.id, categories.hierarchy::text as text from categories
     where categories.project_id = ${project_id} and categories.id = any(${ids}::text[])`;

export const findCategoriesByNames = (db: Queries, project_id: string, names: readonly string[]) =>
  db.many<Category>(sql`
    select ${fields} from categories
     where categories.project_id = ${project_id} and categories.name = any(${names}::text[])`);

/** Makes categories unless their name is taken, each after the last in the hierarchy. Answers the new ones' names. */
export const insertMissingCategories = (
  tx: Tx,
  project_id: string,
  categories: readonly { id: string; name: string }[],
  instant: Instant,
) =>
  tx.many<{ name: string }>(sql`
    insert into categories (project_id, id, name, hierarchy, created_at)
    select ${project_id}, missing.id, missing.name, last.hierarchy + missing.place, ${isoOf(instant)}
      from unnest(${column(categories, "id")}::text[], ${column(categories, "name")}::text[]) with ordinality
             as missing (id, name, place),
           (select coalesce(max(categories.hierarchy), 0) as hierarchy
              from categories
             where categories.project_id = ${project_id} and categories.hierarchy < 9007199254740000) as last
    on conflict (project_id, name) do nothing
    returning categories.name`);

/** Answers how many rows were written: none where the name is taken. */
export const insertCategory = (tx: Tx, project_id: string, category: Category) =>
  tx.run(sql`
    ${insertInto(categories, project_id, [category])} on conflict (project_id, name) do nothing`);

export const updateCategory = (tx: Tx, project_id: string, category: Category) =>
  tx.run(sql`
    update categories set ${sets(categories, category, ["name", "hierarchy", "updated_at"])}
     where categories.project_id = ${project_id} and categories.id = ${category.id}`);

/**
 * Deletes a category and takes it off campaigns, tiers and stacks. Vouchers keep the id, which names nothing any more: there may
 * be millions of them, and everything that reads one asks whether its category exists. Answers what it was on.
 */
export async function deleteCategory(tx: Tx, project_id: string, id: string): Promise<{ kind: string; id: string }[]> {
  const was_on = await tx.many<{ kind: string; id: string }>(sql`
    select 'campaign' as kind, campaigns.id from campaigns
     where campaigns.project_id = ${project_id} and campaigns.category_id = ${id}
    union all
    select 'promotion_tier', promotion_tiers.id from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and promotion_tiers.category_id = ${id}
    union all
    select 'promotion_stack', promotion_stacks.id from promotion_stacks
     where promotion_stacks.project_id = ${project_id} and promotion_stacks.category_id = ${id}`);
  await tx.run(sql`delete from categories where categories.project_id = ${project_id} and categories.id = ${id}`);
  return was_on;
}
