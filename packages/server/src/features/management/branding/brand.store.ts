import type { Queries, Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { insertInto, json, sets, table, text, timestamptz } from "../../../platform/db/table.js";
import type { Brand } from "./brand.js";

const brands = table<Brand>("brands", {
  id: text,
  brand: json,
  address: json,
  contact: json,
  created_at: timestamptz,
  updated_at: timestamptz,
});

/** The project's brand: none, or one. */
export const listBrands = (db: Queries, project_id: string) =>
  db.many<Brand>(sql`select ${brands.fields} from brands where brands.project_id = ${project_id}`);

export const findBrand = (db: Queries, project_id: string, id: string) =>
  db.maybe<Brand>(sql`
    select ${brands.fields} from brands where brands.project_id = ${project_id} and brands.id = ${id}`);

/** The same, nobody else's to edit until the transaction ends. */
export const lockBrand = (tx: Tx, project_id: string, id: string) =>
  tx.maybe<Brand>(sql`
    select ${brands.fields} from brands
     where brands.project_id = ${project_id} and brands.id = ${id} for update`);

/** Answers how many rows were written: none where the project has a brand. */
export const insertBrand = (tx: Tx, project_id: string, brand: Brand) =>
  tx.run(sql`${insertInto(brands, project_id, [brand])} on conflict (project_id) do nothing`);

export const updateBrand = (tx: Tx, project_id: string, brand: Brand) =>
  tx.run(sql`
    update brands set ${sets(brands, brand, ["brand", "address", "contact", "updated_at"])}
     where brands.project_id = ${project_id} and brands.id = ${brand.id}`);

/** Answers how many there were. */
export const deleteBrand = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from brands where brands.project_id = ${project_id} and brands.id = ${id}`);
