import type { Context } from "../../platform/context.js";
import { violatedConstraint } from "../../platform/db/database-errors.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { type Change, change, holding } from "../../recording/index.js";
import { type Call, findStackingRules, updateStackingRules } from "../projects/index.js";
import { type Category, toCategoryBody } from "./category.js";
import type { CategoryBody, CategoryInput } from "./category.schemas.js";
import { namesCategory, withoutCategory } from "./category.stacking.js";
import {
  deleteCategory,
  findCategories,
  findCategoriesByIds,
  findCategoriesByNames,
  insertCategory,
  insertMissingCategories,
  updateCategory,
} from "./category.store.js";

/** How a body names a category: by its name or by its id. */
export interface CategoryNaming {
  category?: string | null;
  category_id?: string | null;
}

/**
 * What each naming means. An unknown id is a 404; an unknown name becomes a new category (vouchers-and-campaigns.md §2.1);
 * both at once are a 400, whatever they name. Call it after the transaction has its keys.
 * @param at leads to a naming in the body
 * @returns in the order of the namings: a category, null for none, undefined where nothing is said
 */
export async function resolveCategories(
  change: Change,
  namings: readonly CategoryNaming[],
  at: (i: number) => string = () => "",
): Promise<(Category | null | undefined)[]> {
  const { tx, cause } = change;
  const twice = namings.findIndex(({ category, category_id }) => category && category_id);
  if (twice !== -1)
    throw problems.invalidPayload(`Property ${at(twice)}.category must not be sent together with category_id`);
  const ids = [...new Set(namings.flatMap(({ category_id }) => category_id ?? []))];
  const names = [...new Set(namings.flatMap(({ category_id, category }) => (category_id ? [] : category || [])))];
  const by_id = new Map(
    (ids.length ? await findCategoriesByIds(tx, cause.project_id, ids) : []).map((one) => [one.id, one]),
  );
  const by_name = await categoriesNamed(change, names);
  return namings.map(({ category_id, category }) => {
    if (category_id) {
      const found = by_id.get(category_id);
      if (!found) throw problems.notFound("category", category_id);
      return found;
    }
    if (category) return by_name.get(category);
    return category_id === null || category === null || category === "" ? null : undefined;
  });
}

async function categoriesNamed({ tx, cause, edited }: Change, names: readonly string[]) {
  const { project_id, instant } = cause;
  const byName = (found: readonly Category[]) => new Map(found.map((one) => [one.name, one]));
  const known = byName(names.length ? await findCategoriesByNames(tx, project_id, names) : []);
  const missing = names.filter((name) => !known.has(name)).sort();
  if (missing.length === 0) return known;
  const wanted = missing.map((name) => ({ id: newId("cat"), name }));
  await insertMissingCategories(tx, project_id, wanted, instant);
  // Read again: whoever made one of them at the same time has won.
  const by_name = byName(await findCategoriesByNames(tx, project_id, names));
  // Deciding has to know them.
  edited(...missing.flatMap((name) => by_name.get(name)?.id ?? []).map(categoryEdit));
  return by_name;
}

export async function createCategory(context: Context, call: Call, input: CategoryInput): Promise<CategoryBody> {
  const { name, hierarchy } = input;
  const category: Category = { id: newId("cat"), name, hierarchy, created_at: call.instant, updated_at: null };
  return change(context, call, async ({ tx, edited }) => {
    if ((await insertCategory(tx, call.project_id, category)) === 0) throw problems.duplicate("category", name, "name");
    edited(categoryEdit(category.id));
    return toCategoryBody(category);
  });
}

export async function readCategory({ db }: Context, call: Call, id: string): Promise<CategoryBody> {
  const [category] = await findCategoriesByIds(db, call.project_id, [id]);
  if (!category) throw problems.notFound("category", id);
  return toCategoryBody(category);
}

export async function readCategories({ db }: Context, call: Call) {
  const categories = await findCategories(db, call.project_id);
  return listBody("data", categories.map(toCategoryBody), { total: categories.length, has_more: false });
}

export async function changeCategory(
  context: Context,
  call: Call,
  id: string,
  input: CategoryInput,
): Promise<CategoryBody> {
  const { name, hierarchy } = input;
  try {
    return await change(context, call, async (change) => {
      const stored = await lockCategory(change, id);
      const category = { ...stored, name, hierarchy, updated_at: call.instant };
      await updateCategory(change.tx, call.project_id, category);
      change.edited(categoryEdit(id));
      return toCategoryBody(category);
    });
  } catch (error) {
    if (violatedConstraint(error) === "categories_name") throw problems.duplicate("category", name, "name");
    throw error;
  }
}

/**
 * Refused while the project's stacking rules name it, unless it is to leave them too (vouchers-and-campaigns.md §16). Nothing
 * else that has the category stands in its way.
 */
export async function removeCategory(
  context: Context,
  call: Call,
  id: string,
  leaves_stacking_rules: boolean,
): Promise<void> {
  const { project_id, instant } = call;
  await change(context, call, async (change) => {
    const stacking = await lockCategoryAndStackingRules(change, id);
    if (stacking && namesCategory(stacking.rules, id)) {
      if (!leaves_stacking_rules) throw problems.inUse("category", id, { type: "stacking_rules", ids: [stacking.id] });
      const rules = withoutCategory(stacking.rules, id);
      await updateStackingRules(change.tx, project_id, { ...stacking, rules, updated_at: instant });
      change.edited({ kind: "project", id: project_id });
    }
    const was_on = await deleteCategory(change.tx, call.project_id, id);
    change.edited(categoryEdit(id), ...was_on);
  });
}

/** The stacking rules are edited under the key of their project. */
async function lockCategoryAndStackingRules({ tx, cause: { project_id } }: Change, id: string) {
  const keys = [categoryKey(project_id, id), { project_id, kind: "project" as const, id: project_id }];
  const [[category], stacking] = await holding(tx, keys, () =>
    Promise.all([findCategoriesByIds(tx, project_id, [id]), findStackingRules(tx, project_id)]),
  );
  if (!category) throw problems.notFound("category", id);
  return stacking;
}

const categoryKey = (project_id: string, id: string) => ({ project_id, kind: "name" as const, id: `category ${id}` });

async function lockCategory({ tx, cause: { project_id } }: Change, id: string): Promise<Category> {
  const key = categoryKey(project_id, id);
  const [category] = await holding(tx, [key], () => findCategoriesByIds(tx, project_id, [id]));
  if (!category) throw problems.notFound("category", id);
  return category;
}

const categoryEdit = (id: string) => ({ kind: "category", id });
