import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { StartOver } from "../../platform/db/database-errors.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { putInBin } from "../trash-bin/index.js";
import { type Product, shipping } from "./product.js";
import type { ProductQuery, SkuCreate } from "./product.schemas.js";
import { knownProduct, lockProduct, storeShipping, withFreeSourceId } from "./product.service.js";
import { newSku, type Sku, type SkuInput, skuPatchOf, toSkuBody } from "./sku.js";
import { binSku, deleteSku, findSku, findSkusNamed, insertSkus, listSkus, patchSkus } from "./sku.store.js";

/** `POST …/skus`: creates, or changes the SKU of this product that the id or source id names (rules.md §17.1). */
export async function upsertSku(context: Context, call: Call, product_id: string, input: SkuCreate) {
  const source_id = input.source_id || null;
  const { project_id, project, instant } = call;
  const store = async ({ tx }: Change) => {
    const product = await lockProduct(tx, call, product_id);
    const known = await findNamed(tx, call, product, input.id || null, source_id);
    if (known) {
      const patch = { ...skuPatchOf(input), ...(source_id && source_id !== known.source_id ? { source_id } : {}) };
      const [sku] = await patchSkus(tx, project_id, [{ id: known.id, product_id: product.id, patch }], instant);
      if (!sku) throw new StartOver("the SKU was deleted by another request");
      return toSkuBody(sku);
    }
    call.metadata_schemas.assertFits("product", input.metadata, { is_made: true });
    if (product.id === shipping.id) await storeShipping(tx, { project_id, created_at: project.created_at });
    const sku = newSku(input.id || newId("sku"), product.id, source_id, input, instant);
    if ((await insertSkus(tx, project_id, [sku])) === 0) throw new StartOver("the SKU was made by another request");
    return toSkuBody(sku);
  };
  return withFreeSourceId(source_id, () => change(context, call, store), "sku");
}

export async function updateSku(context: Context, call: Call, product_id: string, id: string, input: SkuInput) {
  return change(context, call, async ({ tx }) => {
    const known = await skuOfProduct(tx, call, product_id, id);
    const patched = { id: known.id, product_id: known.product_id, patch: skuPatchOf(input) };
    const [sku] = await patchSkus(tx, call.project_id, [patched], call.instant);
    if (!sku) throw problems.notFound("sku", id);
    return toSkuBody(sku);
  });
}

export async function removeSku(context: Context, call: Call, product_id: string, id: string, force: boolean) {
  await change(context, call, async (change) => {
    const { tx } = change;
    const sku = await skuOfProduct(tx, call, product_id, id);
    const deleted = force
      ? await deleteSku(tx, call.project_id, sku.id)
      : await binSku(tx, call.project_id, sku.id, call.instant);
    if (deleted === 0) throw problems.notFound("sku", id);
    if (force) return;
    const resource_name = sku.sku ?? sku.source_id ?? sku.id;
    const binned = { resource_type: "sku", resource_id: sku.id, resource_name } as const;
    await putInBin(change, { ...binned, resource_parent_id: sku.product_id });
  });
}

export async function readSku({ db }: Context, call: Call, id: string) {
  return toSkuBody(await knownSku(db, call, id));
}

export async function readSkuOfProduct({ db }: Context, call: Call, product_id: string, id: string) {
  return toSkuBody(await skuOfProduct(db, call, product_id, id));
}

export async function readSkus({ db }: Context, call: Call, product_id: string, query: ProductQuery) {
  const product = await knownProduct(db, call, product_id);
  const filter = { start: instantOrNull(query.start_date), end: instantOrNull(query.end_date) };
  const page = pageOf(query);
  const listed = await listSkus(db, call.project_id, product.id, filter, query.order ?? "-created_at", page);
  return listBody("skus", listed.rows.map(toSkuBody), countsOf(listed, page));
}

async function knownSku(db: Queries, call: Call, id: string): Promise<Sku> {
  const sku = await findSku(db, call.project_id, id);
  if (!sku || sku.deleted_at !== null) throw problems.notFound("sku", id);
  return sku;
}

/** An unknown product is told first (rules.md §17.1). */
async function skuOfProduct(db: Queries, call: Call, product_id: string, id: string): Promise<Sku> {
  const product = await knownProduct(db, call, product_id);
  const sku = await knownSku(db, call, id);
  if (sku.product_id !== product.id) throw problems.notFound("sku", id);
  return sku;
}

/** A name in the bin stays taken, and so does one of another product: a SKU's names are the project's. */
async function findNamed(tx: Tx, call: Call, product: Product, id: string | null, source_id: string | null) {
  if (id === null && source_id === null) return undefined;
  const found = await findSkusNamed(tx, call.project_id, id, source_id);
  for (const [field, name] of [["id", id] as const, ["source_id", source_id] as const]) {
    const sku = name === null ? undefined : found.find((one) => one[field] === name);
    if (!sku || name === null) continue;
    if (sku.deleted_at !== null || sku.product_id !== product.id) throw problems.duplicate("sku", name, field);
    return sku;
  }
  return undefined;
}
