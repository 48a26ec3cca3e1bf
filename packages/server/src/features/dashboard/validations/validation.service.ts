import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { findCustomer, findCustomersByIds, toSimpleCustomer } from "../../customers/index.js";
import type { Call } from "../../projects/index.js";
import { type LoggedValidation, listValidations } from "../../validation-log/index.js";
import { cursorOf, seenAt } from "../cursor.js";
import type { LoggedValidationQuery } from "./validation.schemas.js";

/** What was validated in the last thirty days, newest first. */
export async function readLoggedValidations(
  { db }: Context,
  { project_id, instant }: Call,
  query: LoggedValidationQuery,
) {
  const { customer, code = null, valid = null, limit = 20, after } = query;
  const seen = seenAt(after);
  const whose = customer === undefined ? null : await findCustomer(db, project_id, customer);
  if (whose === undefined) return { data: [], customers: [], next: null };
  const filter = { project_id, instant, customer_id: whose?.id ?? null, code, valid };
  const found = await listValidations(db, filter, { seen, rows_max: limit + 1 });
  const shown = found.slice(0, limit);
  const ids = [...new Set(shown.flatMap(({ customer_id }) => customer_id ?? []))];
  const people = ids.length === 0 ? [] : await findCustomersByIds(db, project_id, ids);
  return { data: shown.map(toBody), customers: people.map(toSimpleCustomer), next: cursorOf(found, limit) };
}

const toBody = ({
  project_id: _project_id,
  campaigns: _campaigns,
  redeemables,
  event_source,
  created_at,
  ...rest
}: LoggedValidation) => ({
  ...rest,
  redeemables: [...redeemables],
  event_source: { ...event_source },
  created_at: isoOf(created_at),
});
