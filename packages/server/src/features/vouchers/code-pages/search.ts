import type { Database, Queries } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { isLike, type Many, type Part, readBounded } from "../../../platform/listing/index.js";
import { findWalks } from "../../../walks/index.js";
import { paging } from "./code-page.schedules.js";
import {
  canBeLookedUp,
  countBinned,
  findEndOfPagesWith,
  findPagesWith,
  findTimesOf,
  hitsOf,
  readCodesWith,
} from "./code-page.store.js";
import { type Nearest, nearestPages } from "./nearest.js";

/** Parts of codes that one request has looked up; what it asks beyond is compared with every voucher. */
const looked_up_max = 4;

/** So many found codes are looked up one by one sooner than anything is counted. */
const counted_max = 500;

const code_key = sql`vouchers.code_key`;

export interface CodeSearch {
  /** The condition that a voucher's code holds the part. */
  holds: (part: Part) => Sql;
  /** Where very many codes hold a part: what else holds of all their vouchers, and lets a list pass over many others. */
  many: Many | null;
  /** How many vouchers there are where the condition lets through none but those that the list can show. */
  total: number | null;
}

/** What a list shows that asks for nothing but one part. */
export interface Alone {
  /** Null where it is not sorted by the vouchers' making, or goes on behind one of them. */
  nearest: Nearest | null;
}

/**
 * Looks up which codes hold the parts that a list asks for, before it is read (docs/adr/0087).
 * @param ask makes the list's condition, to be called once more with what was found
 * @param alone null where the list asks for more than one part
 */
export async function searchCodes(
  db: Database,
  project_id: string,
  ask: (holds: CodeSearch["holds"]) => unknown,
  alone: Alone | null,
): Promise<CodeSearch> {
  const asked: Part[] = [];
  ask((part) => {
    asked.push(part);
    return compared(part);
  });
  const [first] = asked;
  if (!first) return comparing;
  return readBounded(db, async (queries) => {
    const [unpaged] = await findWalks(queries, paging.name, project_id, [""]);
    if (unpaged) return comparing;
    if (alone && canBeLookedUp(first)) return searchAlone(queries, project_id, first, alone.nearest);
    const found: (string[] | null)[] = [];
    for (const part of asked.slice(0, looked_up_max)) found.push(await readFew(queries, project_id, part));
    let next = 0;
    return {
      ...comparing,
      holds(part) {
        const code_keys = found[next++];
        return code_keys ? sql`${code_key} = any(${listOf(code_keys)})` : compared(part);
      },
    };
  });
}

const compared = (part: Part) => isLike(code_key, part.patterns);
const comparing: CodeSearch = { holds: compared, many: null, total: null };

/** The codes that hold the part, unless they are very many or it is too long. */
async function readFew(queries: Queries, project_id: string, part: Part): Promise<string[] | null> {
  if (!canBeLookedUp(part)) return null;
  const { pages, are_many } = await findPagesWith(queries, project_id, part);
  return are_many ? null : readCodesWith(queries, project_id, part, pages);
}

async function searchAlone(
  queries: Queries,
  project_id: string,
  part: Part,
  nearest: Nearest | null,
): Promise<CodeSearch> {
  const { pages, are_many } = await findPagesWith(queries, project_id, part);
  const hits = hitsOf(pages);
  const binned = nearest && hits > counted_max ? await countBinned(queries, project_id, part) : null;
  // Any of those in the bin may be among the nearest, and is not shown.
  const wanted = nearest && binned !== null ? { ...nearest, count: nearest.count + binned } : null;
  if (are_many) return { ...comparing, many: await manyOf(queries, project_id, part, hits, wanted) };
  const near = wanted ? nearestPages(pages, wanted) : pages;
  const code_keys = await readCodesWith(queries, project_id, part, near);
  return { holds: () => isOneOf(code_keys), many: null, total: binned === null ? null : hits - binned };
}

/** As one text, which is a third of the work that a list of thousands is, here and there. */
const listOf = (code_keys: readonly string[]): Sql => sql`string_to_array(${code_keys.join("\n")}, E'\\n')`;

/**
 * Behind a `select` the planner does not see the list, and reads it from the index without an estimate of each code: 14 instead of 21 ms
 * for 3,700. Only where nothing else is asked: what is looked through for a list is kept as a hash where the planner sees it.
 */
const isOneOf = (code_keys: readonly string[]): Sql => sql`${code_key} = any((select ${listOf(code_keys)})::text[])`;

async function manyOf(
  queries: Queries,
  project_id: string,
  part: Part,
  at_least: number,
  wanted: Nearest | null,
): Promise<Many> {
  const end = wanted && (await findEndOfPagesWith(queries, project_id, part, wanted));
  if (wanted && end) {
    const code_keys = await readCodesWith(queries, project_id, part, nearestPages(end, wanted));
    return { at_least, within: [isOneOf(code_keys)] };
  }
  const times = await findTimesOf(queries, project_id, part);
  if (!times) return { at_least, within: [] };
  const { first_at, last_at } = times;
  const made = sql`vouchers.created_at between ${first_at}::timestamptz and ${last_at}::timestamptz`;
  return { at_least, within: [made] };
}
