import type { Context } from "../../platform/context.js";
import type { Sql } from "../../platform/db/sql.js";
import { instantFrom } from "../../platform/http/dates.js";
import { betweenOf, listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { pageOf } from "../../platform/listing/index.js";
import type { Call } from "../projects/index.js";
import type { Customer } from "./customer.js";
import type { CustomerQuery } from "./customer.schemas.js";
import { toCustomerBodies } from "./customer.service.js";
import { conditionsOf, findCustomersAfter, listCustomers } from "./customer-list.store.js";

/**
 * Which of the customers a segment holds, as a condition on them. Handed in, since segments know customers and not the
 * other way round.
 * @param candidatesAfter the next of those it may be asked about, by id
 */
export type HeldBySegment = (
  call: Call,
  segment_id: string,
  candidatesAfter: (id: string, customers_max: number) => Promise<Customer[]>,
) => Promise<Sql>;

/** `GET /v1/customers` (rules.md §18). */
export async function readCustomers({ db }: Context, call: Call, query: CustomerQuery, heldBySegment: HeldBySegment) {
  const { project_id } = call;
  const { order = "-created_at", segment_id } = query;
  const created_at = betweenOf(query.created_at);
  if (query.starting_after) {
    // The cursor is a creation time, so it bounds the list from the side that the order comes from.
    if (!order.endsWith("created_at")) {
      throw problems.invalidQuery(
        "Property .starting_after can be combined with .order created_at or -created_at only",
      );
    }
    const instant = instantFrom(query.starting_after);
    if (order === "created_at") created_at.after = Math.max(created_at.after ?? -Infinity, instant ?? -Infinity);
    else created_at.before = Math.min(created_at.before ?? Infinity, instant ?? Infinity);
  }
  const conditions = conditionsOf({ ...query, created_at, updated_at: betweenOf(query.updated_at) });
  if (segment_id !== undefined) {
    conditions.push(
      await heldBySegment(call, segment_id, (id, customers_max) =>
        findCustomersAfter(db, project_id, conditions, id, customers_max),
      ),
    );
  }
  const { rows, ...counts } = await listCustomers(db, project_id, conditions, order, pageOf(query));
  return listBody("customers", await toCustomerBodies(db, project_id, rows), counts);
}
