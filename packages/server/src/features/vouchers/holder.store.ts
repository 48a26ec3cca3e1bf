import type { Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";

/** A customer's vouchers have no holder any more (rules.md §18); that they were published stays. */
export const forgetHolder = (tx: Tx, project_id: string, { id }: { id: string }) =>
  tx.run(sql`
    update vouchers set holder_id = null where vouchers.project_id = ${project_id} and vouchers.holder_id = ${id}`);
