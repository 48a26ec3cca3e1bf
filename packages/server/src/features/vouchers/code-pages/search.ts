import type { Database } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { isLike, type Part, readBounded } from "../../../platform/listing/index.js";
import { findWalks } from "../../../walks/index.js";
import { paging } from "./code-page.schedules.js";
import { findCodesWith, findTimesOf } from "./code-page.store.js";

/** Parts of codes that one request has looked up; what it asks beyond is compared with every voucher. */
const looked_up_max = 4;

const code_key = sql`vouchers.code_key`;

export interface CodeSearch {
  /** The condition that a voucher's code holds the part. */
  holds: (part: Part) => Sql;
  /** Where a part is in more codes than lists count: what else holds of all its vouchers, and lets a list pass over many others. */
  narrowed: Sql[] | null;
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
  if (asked.length === 0) return { holds: compared, narrowed: null };
  return readBounded(db, async (queries) => {
    const [unpaged] = await findWalks(queries, paging.name, project_id, [""]);
    if (unpaged) return { holds: compared, narrowed: null };
    const found: (string[] | null)[] = [];
    for (const part of asked.slice(0, looked_up_max)) found.push(await findCodesWith(queries, project_id, part));
    const many = found[0] === null && isAlone() ? asked[0] : undefined;
    let next = 0;
    return {
      holds(part) {
        const code_keys = found[next++];
        return code_keys ? sql`${code_key} = any(${code_keys}::text[])` : compared(part);
      },
      narrowed: many ? madeBetween(await findTimesOf(queries, project_id, many)) : null,
    };
  });
}

const madeBetween = (times: { first_at: string; last_at: string } | undefined): Sql[] =>
  times ? [sql`vouchers.created_at between ${times.first_at}::timestamptz and ${times.last_at}::timestamptz`] : [];
