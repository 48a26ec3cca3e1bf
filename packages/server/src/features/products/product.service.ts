import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { StartOver, violatedConstraint } from "../../platform/db/database-errors.js";
import type { LockKey } from "../../platform/db/locks.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { grouped } from "../../platform/lists/grouped.js";
import { change, readUnderKeys } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import { type BinRemoval, putInBin } from "../trash-bin/index.js";
import {
  isShipping,
  newProduct,
  type Product,
  type ProductInput,
  type ProductPatch,
  patchOf,
  shipping,
  toProductBody,
  untouchedShipping,
} from "./product.js";
import type { ProductCreate, ProductQuery } from "./product.schemas.js";
import {
  binProduct,
  deleteProduct,
  findProduct,
  findProductsNamed,
  insertProducts,
  listProducts,
  patchProducts,
} from "./product.store.js";
import { toSkuBody } from "./sku.js";
import { deleteSku, findSkusOfProducts } from "./sku.store.js";

/** SKUs that stand inside their product; more are read by their own list. */
const embedded_skus_max = 500;

/** `POST /v1/products`: creates, or changes the product that the id or source id names (rules.md §17.1). */
export async function upsertProduct(context: Context, call: Call, input: ProductCreate) {
  const source_id = input.source_id || null;
  return withFreeSourceId(source_id, () =>
    change(context, call, async ({ tx }) => {
      const known = await findNamed(tx, call, input.id || null, source_id);
      if (known) {
        // Found by its id, it also takes the source id; found by that, there is nothing to take.
        const patch = { ...patchOf(input), ...(source_id && source_id !== known.source_id ? { source_id } : {}) };
        return toProductBody(await patchKnown(tx, call, known, patch));
      }
      call.metadata_schemas.assertFits("product", input.metadata, { is_made: true });
      const product = newProduct(input.id || newId("prod"), source_id, input, call.instant);
      const [written] = await insertProducts(tx, call.project_id, [product]);
      if (!written) throw new StartOver("the product was made by another request");
      return toProductBody(product);
    }),
  );
}

export async function updateProduct(context: Context, call: Call, id_or_source_id: string, input: ProductInput) {
  return change(context, call, async ({ tx }) => {
    const known = await knownProduct(tx, call, id_or_source_id);
    return toProductBody(await patchKnown(tx, call, known, patchOf(input)));
  });
}

/** Without `force` the product and its SKUs go to the bin and keep their source ids (§17.1). */
export async function removeProduct(context: Context, call: Call, id_or_source_id: string, force: boolean) {
  await change(context, call, async (change) => {
    const { tx } = change;
    const { id, name, source_id } = await lockProduct(tx, call, id_or_source_id);
    if (id === shipping.id) throw refusals.builtInProduct(shipping.id);
    if (force) await deleteProduct(tx, call.project_id, id);
    else {
      await binProduct(tx, call.project_id, id, call.instant);
      const resource_name = name ?? source_id ?? id;
      await putInBin(change, { resource_type: "product", resource_id: id, resource_name, resource_parent_id: null });
    }
  });
}

/** What leaves the bin for good: a product with its SKUs, or a SKU alone. */
export const binned: readonly BinRemoval[] = [
  {
    resource_type: "product",
    keysOf: (project_id, id) => [productKey(project_id, id)],
    async remove({ tx, cause }, id) {
      await deleteProduct(tx, cause.project_id, id);
    },
  },
  {
    resource_type: "sku",
    // One statement deletes it, as everywhere.
    keysOf: () => [],
    async remove({ tx, cause }, id) {
      await deleteSku(tx, cause.project_id, id);
    },
  },
];

export async function readProduct({ db }: Context, call: Call, id_or_source_id: string, hide: string | undefined) {
  const product = await knownProduct(db, call, id_or_source_id);
  if (hide === "sku") return toProductBody(product);
  const [body] = await withSkus(db, call, [product]);
  return body;
}

export async function readProducts({ db }: Context, call: Call, query: ProductQuery) {
  const filter = { start: instantOrNull(query.start_date), end: instantOrNull(query.end_date) };
  const page = pageOf(query);
  const listed = await listProducts(db, call.project_id, filter, query.order ?? "-created_at", page);
  return listBody("products", await withSkus(db, call, listed.rows), countsOf(listed, page));
}

/** The product, unless it is in the bin or there is none. */
export async function knownProduct(db: Queries, call: Call, id_or_source_id: string): Promise<Product> {
  const product = await findProduct(db, call.project_id, id_or_source_id);
  if (product && product.deleted_at === null) return product;
  if (!product && isShipping(id_or_source_id)) return untouchedShipping(call.project.created_at);
  throw problems.notFound("product", id_or_source_id);
}

/** The product under its key: who adds a SKU and who deletes the product wait for each other. */
export const lockProduct = (tx: Tx, call: Call, id_or_source_id: string): Promise<Product> =>
  readUnderKeys(
    tx,
    () => knownProduct(tx, call, id_or_source_id),
    ({ id }) => [productKey(call.project_id, id)],
  );

/** Held by whoever adds to a product, and by whoever deletes it. */
export const productKey = (project_id: string, id: string): LockKey => ({
  project_id,
  kind: "name",
  id: `product ${id}`,
});

/** Gives Shipping the row that a change or a SKU of it needs. */
export async function storeShipping(tx: Tx, { project_id, created_at }: { project_id: string; created_at: number }) {
  await insertProducts(tx, project_id, [untouchedShipping(created_at)]);
}

/** Runs the work; the source id that it wants to give and that is another's makes a 409. */
export async function withFreeSourceId<Answer>(
  source_id: string | null,
  work: () => Promise<Answer>,
  type: "product" | "sku" = "product",
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const is_taken = violatedConstraint(error) === `${type}s_source_id`;
    if (is_taken && source_id !== null) throw problems.duplicate(type, source_id, "source_id");
    throw error;
  }
}

/** What an upsert changes: an id wins over a source id. A name in the bin stays taken; nobody sees what holds it. */
async function findNamed(tx: Tx, call: Call, id: string | null, source_id: string | null) {
  if (id === null && source_id === null) return undefined;
  const found = await findProductsNamed(tx, call.project_id, id, source_id);
  const untouched = untouchedShipping(call.project.created_at);
  for (const [field, name] of [["id", id] as const, ["source_id", source_id] as const]) {
    if (name === null) continue;
    const product = found.find((one) => one[field] === name) ?? (untouched[field] === name ? untouched : undefined);
    if (product && product.deleted_at !== null) throw problems.duplicate("product", name, field);
    if (product) return product;
  }
  return undefined;
}

async function patchKnown(tx: Tx, call: Call, known: Product, patch: ProductPatch): Promise<Product> {
  const { project_id, project, instant } = call;
  if (known.id === shipping.id) await storeShipping(tx, { project_id, created_at: project.created_at });
  const [product] = await patchProducts(tx, project_id, [{ id: known.id, patch }], instant);
  if (!product) throw new StartOver("the product was deleted by another request");
  return product;
}

async function withSkus(db: Queries, call: Call, products: readonly Product[]) {
  const ids = products.map((product) => product.id);
  const skus = ids.length === 0 ? [] : await findSkusOfProducts(db, call.project_id, ids, embedded_skus_max);
  const by_product = grouped(skus, ({ product_id }) => product_id);
  return products.map((product) => {
    const own = by_product.get(product.id) ?? [];
    const bodies = own.map(({ total, ...sku }) => toSkuBody(sku));
    return { ...toProductBody(product), skus: listBody("data", bodies, own[0]?.total ?? 0) };
  });
}
