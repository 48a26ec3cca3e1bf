import type { Database, Queries } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { isLike, type Many, type Part, readBounded } from "../../../platform/listing/index.js";
import { findWalks } from "../../../walks/index.js";
import { paging } from "./code-page.schedules.js";
import { type FoundCodes, findCodesWith, findTimesOf } from "./code-page.store.js";

/** Parts of codes that one request has looked up; what it asks beyond is compared with every voucher. */
const looked_up_max = 4;

const code_key = sql`vouchers.code_key`;

export interface CodeSearch {
  /** The condition that a voucher's code holds the part. */
  holds: (part: Part) => Sql;
  /** Where very many codes hold a part: what else holds of all their vouchers, and lets a list pass over many others. */
  many: Many | null;
}

/**
 * Looks up which codes hold the parts that a list asks for, before it is read (docs/adr/0087).
 * @param ask makes the list's condition, to be called once more with what was found
 * @param isAlone whether the list asks for nothing but one part
 */
export async function searchCodes(
  db: Database,
  project_id: string,
  ask: (holds: CodeSearch["holds"]) => unknown,
  isAlone: () => boolean,
): Promise<CodeSearch> {
  const asked: Part[] = [];
  const compared = (part: Part) => isLike(code_key, part.patterns);
  ask((part) => {
    asked.push(part);
    return compared(part);
  });
  if (asked.length === 0) return { holds: compared, many: null };
  return readBounded(db, async (queries) => {
    const [unpaged] = await findWalks(queries, paging.name, project_id, [""]);
    if (unpaged) return { holds: compared, many: null };
    const found: FoundCodes[] = [];
    for (const part of asked.slice(0, looked_up_max)) found.push(await findCodesWith(queries, project_id, part));
    const many = isAlone() && asked[0] && found[0] ? await manyOf(queries, project_id, asked[0], found[0]) : null;
    let next = 0;
    return {
      holds(part) {
        const known = found[next++];
        return known && "code_keys" in known ? isOneOfMany(known.code_keys, isAlone()) : compared(part);
      },
      many,
    };
  });
}

/**
 * As one text, which is a third of the work that a list of thousands is, here and there. Where nothing else is asked, the planner does not
 * see the list behind a `select`, and reads it from the index without an estimate of each code: 14 instead of 21 ms for 3,700. What
 * is looked through for a list is kept as a hash only where the planner sees it.
 */
function isOneOfMany(code_keys: readonly string[], is_alone: boolean): Sql {
  const list = sql`string_to_array(${code_keys.join("\n")}, E'\\n')`;
  return is_alone ? sql`${code_key} = any((select ${list})::text[])` : sql`${code_key} = any(${list})`;
}

async function manyOf(queries: Queries, project_id: string, part: Part, found: FoundCodes): Promise<Many | null> {
  if (!("at_least" in found)) return null;
  const times = await findTimesOf(queries, project_id, part);
  if (!times) return { at_least: found.at_least, within: [] };
  const { first_at, last_at } = times;
  const made = sql`vouchers.created_at between ${first_at}::timestamptz and ${last_at}::timestamptz`;
  return { at_least: found.at_least, within: [made] };
}
