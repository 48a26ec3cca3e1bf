import { compileSegment, SUMMARY_FIELD } from "@guerdon/engine";
import { problems } from "../../platform/http/problems.js";
import { findCustomersByIds } from "../customers/index.js";
import type { JudgedFilters } from "../exports/index.js";
import { readCustomersToFilter } from "./customer-to-filter.js";
import { judge, pathsOfAll } from "./memberships/judge.js";
import { pathsOf, type SegmentRow } from "./segment.js";

const of_tier = "(id|name|campaign|campaign_id|start_date|expiration_date|metadata\\..+)";

/** Counted or collected of one customer at a time (rules.md §14.1): no statement finds those of whom it holds. */
const told_by_looking = [
  SUMMARY_FIELD,
  /^loyalty\.(points|referred_customers)$/,
  /^loyalty(_points)?\.campaigns\..+\.(points|referred_customers|loyalty_tier)$/,
  new RegExp(`^loyalty_tier\\.(campaigns\\..+\\.)?${of_tier}$`),
  /^events\..+\.(count|last_at)$/,
  /^system_metadata\..+$/,
];
/** What stands beside it in the same filter, and alone is found by a statement. */
const told_either_way =
  /^(id|source_id|name|email|phone|birthday|city|created_at|updated_at|address\..+|metadata\..+|publications\.(created_at|related_object_id))$/;

const isToldByLooking = (path: string) => told_by_looking.some((one) => one.test(path));

/** The filter as one of a segment that nobody has saved: both ask the same of a customer, in the same words (rules.md §15). */
const unsaved = ({ junction, ...conditions }: Readonly<Record<string, unknown>>): SegmentRow => ({
  id: "",
  name: "",
  type: "passive",
  created_at: 0,
  updated_at: null,
  filter: { junction: junction ?? "and", ...conditions },
});

/** Customers to export by what is counted of them. */
export const judged_customers: JudgedFilters = {
  asks: (filters) => pathsOf({ ...filters }).some(isToldByLooking),

  check(filters) {
    // A segment takes names that no tier or publication has, and holds nobody; a file would have people whom nobody asked for.
    const unknown = pathsOf({ ...filters }).find((path) => !isToldByLooking(path) && !told_either_way.test(path));
    if (unknown !== undefined)
      throw problems.invalidPayload(`Property .parameters.filters.${unknown} is not supported`);
    const compiled = compileSegment(unsaved(filters));
    if (!("fault" in compiled)) return;
    const { details, path } = compiled.fault;
    throw problems.invalidPayload(
      details.replace("Property .filter.", "Property .parameters.filters."),
      path.replace(/^filter/, "parameters.filters"),
    );
  },

  async held({ db, turns, project, instant, filters }, ids) {
    const segment = unsaved(filters);
    const customers = await findCustomersByIds(db, project.id, ids);
    const subjects = await readCustomersToFilter(db, project.id, customers, pathsOfAll([segment]));
    const held: string[] = [];
    await judge({ turns, db }, project, instant, subjects, [segment], (_, customer_id, is_held) => {
      if (is_held) held.push(customer_id);
    });
    return held;
  },
};
