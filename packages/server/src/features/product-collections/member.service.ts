import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { listBody } from "../../platform/http/lists.js";
import { pageOf } from "../../platform/listing/index.js";
import {
  findProductsByIds,
  findSkusByIds,
  type Product,
  type Sku,
  toProductBody,
  toSkuBody,
} from "../products/index.js";
import type { Call } from "../projects/index.js";
import { listFilteredMembers } from "./filtered-members.js";
import { listListedMembers } from "./member.store.js";
import { byId, type MemberRef } from "./product-collection.js";
import type { MemberBody, MemberQuery } from "./product-collection.schemas.js";
import { knownCollection } from "./product-collection.service.js";

/** `GET /v1/product-collections/{id}/products` (rules.md §17.2). */
export async function readMembers({ db, turns }: Context, call: Call, id: string, query: MemberQuery) {
  const collection = await knownCollection(db, call, id);
  const slice = {
    order: query.order ?? "-created_at",
    starting_after: instantOrNull(query.starting_after),
    page: pageOf(query),
  };
  const { members, total } =
    collection.type === "STATIC"
      ? await listListedMembers(db, call.project_id, id, slice)
      : await listFilteredMembers({ db, turns }, call, collection, slice);
  return listBody("data", await toMemberBodies(db, call.project_id, members), total);
}

/** The members in their order, but those that have gone meanwhile. */
async function toMemberBodies(db: Queries, project_id: string, members: readonly MemberRef[]): Promise<MemberBody[]> {
  const idsOf = (object: MemberRef["object"]) => members.flatMap((one) => (one.object === object ? one.id : []));
  const skus = byId(await findSkusByIds(db, project_id, idsOf("sku")));
  const of_skus = [...skus.values()].map(({ product_id }) => product_id);
  const products = byId(await findProductsByIds(db, project_id, [...idsOf("product"), ...of_skus]));
  return members.flatMap(({ object, id }): MemberBody[] => {
    const sku = object === "sku" ? skus.get(id) : undefined;
    const product = products.get(sku?.product_id ?? id);
    if (!product || (object === "sku" && !sku)) return [];
    return [sku ? toSkuMember(sku, product) : toProductBody(product)];
  });
}

function toSkuMember(sku: Sku, of: Product): MemberBody {
  const { id, source_id, name, price, attributes, metadata } = of;
  return { ...toSkuBody(sku), product: { id, source_id, name, price, attributes, metadata, object: "product" } };
}
