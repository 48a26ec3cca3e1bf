import { compileCollection } from "@guerdon/engine";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change, holding } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { findRulesReferringTo } from "../validation-rules/index.js";
import type { Collection, CollectionWithMembers } from "./product-collection.js";
import type {
  ProductCollectionBody,
  ProductCollectionCreate,
  ProductCollectionQuery,
  ProductCollectionUpdate,
} from "./product-collection.schemas.js";
import {
  deleteCollection,
  findCollection,
  insertCollection,
  insertMembers,
  listCollections,
  updateCollection,
} from "./product-collection.store.js";

export const createCollection = (
  context: Context,
  call: Call,
  input: ProductCollectionCreate,
): Promise<ProductCollectionBody> => change(context, call, (change) => makeCollection(change, call, input));

/** The same within a change that makes more than the collection. */
export async function makeCollection(
  change: Change,
  call: Call,
  { name, type, products = [], filter }: ProductCollectionCreate,
): Promise<ProductCollectionBody> {
  const collection: Collection = {
    id: newId("pc"),
    name,
    type,
    filter: type === "STATIC" ? null : checkedFilter(filter),
    created_at: call.instant,
    updated_at: null,
  };
  await insertCollection(change.tx, call.project_id, collection);
  if (type === "STATIC") await insertMembers(change.tx, call.project_id, collection.id, products);
  return recorded(change, call, collection.id);
}

/** A STATIC one takes a new name only, an AUTO_UPDATE one also a filter, which replaces the old one (rules.md §17.2). */
export async function changeCollection(
  context: Context,
  call: Call,
  id: string,
  input: ProductCollectionUpdate,
): Promise<ProductCollectionBody> {
  return change(context, call, async (change) => {
    const stored = await lockCollection(change.tx, call, id);
    const is_static = stored.type === "STATIC";
    if (is_static && input.name === undefined) {
      throw problems.invalidPayload("Payload must have required property 'name'");
    }
    const filter = is_static || input.filter === undefined ? stored.filter : checkedFilter(input.filter);
    const collection = { ...stored, name: input.name ?? stored.name, filter, updated_at: call.instant };
    await updateCollection(change.tx, call.project_id, collection);
    return recorded(change, call, id);
  });
}

/** Refused while a rule asks about it (rules.md §17.4). */
export async function removeCollection(context: Context, call: Call, id: string): Promise<void> {
  await change(context, call, async ({ tx, edited }) => {
    await lockCollection(tx, call, id);
    const rules = await findRulesReferringTo(tx, call.project_id, id);
    if (rules.length > 0) throw problems.inUse("products_collection", id, { type: "validation_rules", ids: rules });
    await deleteCollection(tx, call.project_id, id);
    edited({ kind: "product_collection", id });
  });
}

export async function readCollection({ db }: Context, call: Call, id: string): Promise<ProductCollectionBody> {
  return toCollectionBody(await knownCollection(db, call, id));
}

export async function readCollections({ db }: Context, call: Call, query: ProductCollectionQuery) {
  const page = pageOf(query);
  const listed = await listCollections(db, call.project_id, query.order ?? "-created_at", page);
  return listBody("data", listed.rows.map(toCollectionBody), countsOf(listed, page));
}

/** The collection, or a 404 (rules.md §17.3). */
export async function knownCollection(db: Queries, call: Call, id: string): Promise<CollectionWithMembers> {
  const collection = await findCollection(db, call.project_id, id);
  if (!collection) throw problems.notFound("products_collection", id);
  return collection;
}

function lockCollection(tx: Tx, call: Call, id: string): Promise<Collection> {
  const key = { project_id: call.project_id, kind: "name" as const, id: `product collection ${id}` };
  return holding(tx, [key], () => knownCollection(tx, call, id));
}

/**
 * The filter as it is kept: its junction in lower case, operands as lists. One that the engine cannot compile is refused
 * (rules.md §17.3).
 */
function checkedFilter(filter: Record<string, unknown> | null | undefined): Record<string, unknown> {
  const compiled = compileCollection({ id: "", type: "AUTO_UPDATE", filter });
  if ("fault" in compiled) throw problems.invalidPayload(compiled.fault.details, compiled.fault.path);
  const fields = Object.entries(filter ?? {}).map(([field, wanted]) => [field, withOperandLists(wanted)]);
  return { ...Object.fromEntries(fields), junction: String(filter?.junction).toLowerCase() || "and" };
}

/** A single operand may be sent bare; the contract's answers show lists. */
function withOperandLists(wanted: unknown): unknown {
  const { conditions } = wanted as { conditions?: Record<string, unknown> };
  if (!conditions) return wanted;
  const listed = Object.entries(conditions).map(([operator, operands]) => [operator, [operands].flat()]);
  return { ...(wanted as object), conditions: Object.fromEntries(listed) };
}

/** The answer to an edit, which is recorded by it. */
async function recorded({ tx, edited }: Change, call: Call, id: string): Promise<ProductCollectionBody> {
  const collection = await knownCollection(tx, call, id);
  edited({ kind: "product_collection", id });
  return toCollectionBody(collection);
}

function toCollectionBody({ id, name, type, ...collection }: CollectionWithMembers): ProductCollectionBody {
  return {
    id,
    name,
    type,
    ...(collection.filter ? { filter: collection.filter } : {}),
    ...(collection.products ? { products: collection.products } : {}),
    created_at: isoOf(collection.created_at),
    updated_at: isoOf(collection.updated_at) ?? undefined,
    object: "products_collection",
  };
}
