import type { StackingRules } from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { insertInto, jsonb, sets, table, text, timestamptz } from "../../platform/db/table.js";

/** The stacking rules of a project that has set its own, as stored (redemption.md §5.1). */
export interface StoredStackingRules {
  id: string;
  rules: StackingRules;
  created_at: Instant;
  updated_at: Instant | null;
}

const stacking_rules = table<StoredStackingRules>("stacking_rules", {
  id: text,
  rules: jsonb,
  created_at: timestamptz,
  updated_at: timestamptz,
});

export const findStackingRules = (db: Queries, project_id: string) =>
  db.maybe<StoredStackingRules>(sql`
    select ${stacking_rules.fields} from stacking_rules where stacking_rules.project_id = ${project_id}`);

/** Answers how many rows were written: none where the project has a set already. */
export const insertStackingRules = (tx: Tx, project_id: string, stored: StoredStackingRules) =>
  tx.run(sql`${insertInto(stacking_rules, project_id, [stored])} on conflict (project_id) do nothing`);

export const updateStackingRules = (tx: Tx, project_id: string, stored: StoredStackingRules) =>
  tx.run(sql`
    update stacking_rules set ${sets(stacking_rules, stored, ["rules", "updated_at"])}
     where stacking_rules.project_id = ${project_id} and stacking_rules.id = ${stored.id}`);

export const deleteStackingRules = (tx: Tx, project_id: string) =>
  tx.run(sql`delete from stacking_rules where stacking_rules.project_id = ${project_id}`);
