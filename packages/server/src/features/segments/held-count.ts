import { compileSegment } from "@guerdon/engine";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import { readBounded } from "../../platform/listing/index.js";
import { type Customer, findCustomerIdsBefore, findCustomersByIds } from "../customers/index.js";
import type { Call } from "../projects/index.js";
import { readCustomersToFilter } from "./customer-to-filter.js";
import { judge, pathsOfAll } from "./memberships/judge.js";
import type { SegmentRow } from "./segment.js";

/** Customers that one count asks about, the newest: those of years ago say less of whom a campaign will meet. */
const asked_max = 5_000;
/** Customers that are in memory with their counts at once. */
const slice_max = 500;
/** Somebody waits for it while they choose; it ends between two slices. */
const asking_ms_max = 2_000;
const shown_max = 5;

export interface HeldCount {
  held: number;
  asked: number;
  /** Whether everybody was asked. */
  is_all: boolean;
  /** Some of those that are held. */
  customers: Customer[];
}

/** How many customers a filter holds that nobody has saved: of all, or of the newest where there are many. */
export async function countHeld(
  { db, turns }: Context,
  call: Call,
  filter: Record<string, unknown>,
): Promise<HeldCount> {
  const { project_id, project, instant } = call;
  const unsaved: SegmentRow = { id: "", name: "", type: "passive", filter, created_at: instant, updated_at: null };
  const compiled = compileSegment(unsaved);
  if ("fault" in compiled) throw problems.invalidPayload(compiled.fault.details, compiled.fault.path);
  const paths = pathsOfAll([unsaved]);
  const count: HeldCount = { held: 0, asked: 0, is_all: false, customers: [] };
  const until = performance.now() + asking_ms_max;
  for (let before: string | null = null; count.asked < asked_max && performance.now() < until; ) {
    const slice_before = before;
    const [ids, customers] = await readBounded(db, async (queries) => {
      const found = await findCustomerIdsBefore(queries, project_id, slice_before, slice_max);
      return [found, await findCustomersByIds(queries, project_id, found)] as const;
    });
    const subjects = await readBounded(db, (queries) => readCustomersToFilter(queries, project_id, customers, paths));
    const held = new Set<string>();
    await judge({ turns, db }, project, instant, subjects, [unsaved], (_, id, is_held) => {
      if (is_held) held.add(id);
    });
    count.held += held.size;
    count.asked += customers.length;
    const shown = customers.filter(({ id }) => held.has(id)).slice(0, shown_max - count.customers.length);
    count.customers.push(...shown);
    before = ids.at(-1) ?? null;
    if (ids.length < slice_max) return { ...count, is_all: true };
  }
  return count;
}
