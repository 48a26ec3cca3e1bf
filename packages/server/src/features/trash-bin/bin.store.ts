import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, table, text, timestamptz } from "../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { BinEntry } from "./bin.js";

const bin_entries = table<BinEntry>("bin_entries", {
  id: text,
  resource_type: text,
  resource_id: text,
  resource_name: text,
  resource_parent_id: text,
  deleted_by_user_id: text,
  created_at: timestamptz,
});

/** A thing has one entry, however often it is said to be in the bin. */
export const insertBinEntry = (tx: Tx, project_id: string, entry: BinEntry) =>
  tx.run(sql`${insertInto(bin_entries, project_id, [entry])} on conflict do nothing`);

export const findBinEntry = (db: Queries, project_id: string, id: string) =>
  db.maybe<BinEntry>(sql`
    select ${bin_entries.fields} from bin_entries
     where bin_entries.project_id = ${project_id} and bin_entries.id = ${id}`);

export const deleteBinEntry = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from bin_entries where bin_entries.project_id = ${project_id} and bin_entries.id = ${id}`);

export const listBinEntries = (
  db: Database,
  project_id: string,
  filters: Sql | null,
  order: "id" | "-id",
  page: Page,
): Promise<Listed<BinEntry>> =>
  readList<BinEntry>(
    db,
    project_id,
    { table: sql`bin_entries`, fields: bin_entries.fields },
    {
      conditions: filters ? [filters] : [],
      order: orderOf(order, { id: { keys: [sql`bin_entries.id`] } }),
      page,
    },
  );
