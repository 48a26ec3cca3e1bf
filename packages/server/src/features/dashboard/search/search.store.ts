import type { Queries } from "../../../platform/db/database.js";
import { plannedEachTime, sql } from "../../../platform/db/sql.js";
import type { FoundBody } from "./search.schemas.js";

/** Customers may share an e-mail address, and campaigns the beginning of their names. */
const alike_max = 5;

/** The letters that the index folds, and no others. */
const folded = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * What is called so: one statement of probes, each of one index and a few rows. The exact ones first.
 * @param code_keys the text as codes are folded, as it is typed first and then in large and small letters
 */
export function findAnything(
  db: Pick<Queries, "many">,
  { project_id, text, code_keys }: { project_id: string; text: string; code_keys: readonly string[] },
): Promise<FoundBody[]> {
  const beginning = `${folded(text).replace(/[\\%_]/g, "\\$&")}%`;
  return db.many<FoundBody>(
    plannedEachTime(sql`
      (select 'voucher' as object, vouchers.id, vouchers.code as name, 'code' as found_by from vouchers
        where vouchers.project_id = ${project_id} and vouchers.code_key = any(${code_keys}::text[])
          and vouchers.deleted_at is null
        order by array_position(${code_keys}::text[], vouchers.code_key))
      union all
      (select 'order', orders.id, orders.source_id, 'id' from orders
        where orders.project_id = ${project_id} and orders.id = ${text})
      union all
      (select 'order', orders.id, orders.source_id, 'source_id' from orders
        where orders.project_id = ${project_id} and orders.source_id = ${text})
      union all
      (select 'customer', customers.id, coalesce(customers.name, customers.source_id), 'id' from customers
        where customers.project_id = ${project_id} and customers.id = ${text})
      union all
      (select 'customer', customers.id, coalesce(customers.name, customers.source_id), 'source_id' from customers
        where customers.project_id = ${project_id} and customers.source_id = ${text})
      union all
      (select 'customer', customers.id, coalesce(customers.name, customers.source_id), 'email' from customers
        where customers.project_id = ${project_id} and customers.email = any(${[text, text.toLowerCase()]}::text[])
        limit ${alike_max})
      union all
      (select 'redemption', redemptions.id, null, 'id' from redemptions
        where redemptions.project_id = ${project_id} and redemptions.id = ${text})
      union all
      (select 'request', api_requests.id, api_requests.method || ' ' || api_requests.path, 'id' from api_requests
        where api_requests.project_id = ${project_id} and api_requests.id = ${text})
      union all
      (select 'campaign', campaigns.id, campaigns.name, 'name' from campaigns
        where campaigns.project_id = ${project_id} and lower(campaigns.name collate "C") like ${beginning}
          and campaigns.deleted_at is null
        order by lower(campaigns.name collate "C"), campaigns.id limit ${alike_max})`),
  );
}
