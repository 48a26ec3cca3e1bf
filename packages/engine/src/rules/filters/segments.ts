import { isObject, type JsonObject } from "../properties.js";
import type { RuleEnvironment } from "../source.js";
import type { FilterClock, FilterFault } from "./contract.js";
import { customerFields } from "./fields.js";
import { compileFilter } from "./filter.js";

/** A segment as stored (rules.md §14). */
export interface SegmentSource {
  readonly id: string;
  readonly type: "static" | "passive" | "auto-update";
  readonly filter?: unknown;
  /** Ids of the members of a static segment. */
  readonly customers?: Iterable<string> | null;
}

/** Judges membership of one customer, given as the API shows it, at an instant. */
export interface Segment {
  readonly id: string;
  holds(customer: JsonObject, at: FilterClock): boolean;
}

/** Compiles a segment: a list of members, or a filter, which has to name its junction. */
export function compileSegment(
  source: SegmentSource,
  environment: RuleEnvironment = {},
): { segment: Segment } | { fault: FilterFault } {
  const { id, type, filter } = source;
  if (type === "static") {
    const members = new Set(source.customers ?? []);
    return { segment: { id, holds: (customer) => typeof customer.id === "string" && members.has(customer.id) } };
  }
  if (!hasJunction(filter)) {
    const details = `'${type}' segment must contain valid filter with 'junction' property`;
    return { fault: { key: "invalid_payload", path: "filter.junction", details } };
  }
  const compiled = compileFilter(filter, customerFields(environment));
  return "fault" in compiled ? compiled : { segment: { id, holds: compiled.filter } };
}

export const hasJunction = (filter: unknown): boolean => isObject(filter) && typeof filter.junction === "string";
