import {
  compileCollection,
  type FilterClock,
  normaliseOrder,
  type OrderLine,
  type OrderLineInput,
  type ProductCollection,
  TooMuchWork,
  Work,
} from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import type { Turns } from "../../platform/sharing/turns.js";
import { readLocationsNamed } from "../locations/index.js";
import { findProductsAfter, findProductsByIds, findSkusAfter, toProductBody, toSkuBody } from "../products/index.js";
import type { Call } from "../projects/index.js";
import type { MemberSlice } from "./member.store.js";
import { byId, type Collection, type MemberRef } from "./product-collection.js";

/** Products or SKUs that are in memory with their data at once. */
const candidates_max = 1000;

/** A member with the dates it is ordered by. */
interface Member extends MemberRef {
  created_at: Instant;
  /** What was never changed stands where it was made. */
  updated_at: Instant;
}

/** A product or SKU that may be a member, as a line of an order that sells it. */
interface Candidate {
  member: Member;
  line: OrderLineInput;
}

/**
 * What an AUTO_UPDATE collection holds at this instant. The whole catalogue is asked, a page after the other in the order
 * of ids, since only the filter knows the total; kept are no more than the ids of the first members, up to the slice's end.
 */
export async function listFilteredMembers(
  { db, turns }: Pick<Context, "db" | "turns">,
  call: Call,
  collection: Collection,
  slice: MemberSlice,
): Promise<{ members: MemberRef[]; total: number }> {
  const compiled = compileCollection(collection, { metadata_type: call.metadata_schemas.typeOf });
  // Only another version can have stored a filter that does not compile; it holds nothing.
  if ("fault" in compiled) return { members: [], total: 0 };
  const { project_id, project, instant } = call;
  const at = {
    ...{ instant, time_zone: project.timezone },
    location: await readLocationsNamed(db, project_id, [collection.filter]),
  };
  const { limit, offset } = slice.page;
  let first: Member[] = [];
  let total = 0;
  for (const candidatesAfter of [productsAfter, skusAfter]) {
    for await (const candidates of pagesOf((id) => candidatesAfter(db, project_id, id))) {
      // Judged as in an order, so that the list shows what a rule will find (rules.md §6.1).
      const { lines } = normaliseOrder({ items: candidates.map(({ line }) => line) });
      const held = await heldBy(turns, { project_id, at }, compiled.collection, lines);
      const members = candidates.filter(({ line }) => held.has(line)).map(({ member }) => member);
      total += members.length;
      first = [...first, ...members.filter(isAfter(slice))].sort(byOrder(slice)).slice(0, offset + limit);
    }
  }
  return { members: first.slice(offset), total };
}

/** The lines that a collection holds. One on which its filter takes more work than a decision may is not told to be held. */
async function heldBy(
  turns: Turns,
  { project_id, at }: { project_id: string; at: Omit<FilterClock, "work"> },
  collection: ProductCollection,
  lines: readonly OrderLine[],
): Promise<Set<OrderLineInput>> {
  const held = new Set<OrderLineInput>();
  for (const line of lines) {
    const work = new Work({ turn_max: turns.stretch_max, decision_max: turns.stretch_max });
    try {
      if (collection.holds(line, { ...at, work })) held.add(line.input);
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
    }
    if (turns.took(project_id, work.endTurn())) await turns.next(project_id);
  }
  return held;
}

async function* pagesOf(candidatesAfter: (id: string) => Promise<Candidate[]>): AsyncGenerator<Candidate[]> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const candidates: Candidate[] = await candidatesAfter(after);
    yield candidates;
    after = candidates.length < candidates_max ? undefined : candidates.at(-1)?.member.id;
  }
}

async function productsAfter(db: Queries, project_id: string, id: string): Promise<Candidate[]> {
  const products = await findProductsAfter(db, project_id, id, candidates_max);
  return products.map((product) => ({
    member: memberOf("product", product),
    line: { catalogue_product: toProductBody(product) },
  }));
}

async function skusAfter(db: Queries, project_id: string, id: string): Promise<Candidate[]> {
  const skus = await findSkusAfter(db, project_id, id, candidates_max);
  const product_ids = [...new Set(skus.map(({ product_id }) => product_id))];
  const products = byId(await findProductsByIds(db, project_id, product_ids));
  return skus.map((sku) => {
    const product = products.get(sku.product_id);
    const catalogue_product = product ? toProductBody(product) : null;
    return { member: memberOf("sku", sku), line: { catalogue_product, catalogue_sku: toSkuBody(sku) } };
  });
}

const memberOf = (
  object: MemberRef["object"],
  { id, created_at, updated_at }: { id: string; created_at: Instant; updated_at: Instant | null },
): Member => ({ object, id, created_at, updated_at: updated_at ?? created_at });

function byOrder({ order }: MemberSlice): (one: Member, other: Member) => number {
  const date = dateOf(order);
  const direction = order.startsWith("-") ? -1 : 1;
  return (one, other) => direction * (date(one) - date(other) || (one.id < other.id ? -1 : 1));
}

function isAfter({ order, starting_after }: MemberSlice): (one: Member) => boolean {
  if (starting_after === null) return () => true;
  const date = dateOf(order);
  return (one) => (order.startsWith("-") ? date(one) < starting_after : date(one) > starting_after);
}

const dateOf = (order: MemberSlice["order"]) => (one: Member) =>
  order.endsWith("created_at") ? one.created_at : one.updated_at;
