import { dayEnd, dayStart } from "../../api/days.js";
import { decimalString, minorOf } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { typedOf, valuesIn } from "../../api/values.js";
import { t } from "../../text/index.js";

export type Operator = keyof typeof t.conditions.operators;

/** What a comparison is given: how it is typed, sent and said. A choice is of things that have names and are sent by their ids. */
export type Operands = "values" | "choice" | "number" | "money" | "days" | "day" | "none";

/** One condition as it is typed. */
export interface ConditionRow {
  /** For the page alone: rows come and go. */
  key: number;
  field: string;
  /** Which one of those that the field stands for. */
  name: string;
  operator: Operator;
  value: string;
}

export interface RowFaults {
  name?: string;
  operator?: string;
  value?: string;
}

type Reads = Pick<Project, "digits" | "fields">;

/** What the service is sent of what was typed; null while it cannot be read. */
export function operandsIn(
  typed: string,
  as: Operands,
  operator: Operator,
  { digits, fields: { timezone } }: Reads,
): unknown[] | null {
  switch (as) {
    case "none":
      return [true];
    case "number": {
      const number = Number(typed.trim().replace(",", "."));
      return typed.trim() === "" || !Number.isFinite(number) ? null : [number];
    }
    case "money": {
      const minor = minorOf(typed, digits);
      return minor === null ? null : [minor];
    }
    case "days":
      return /^\s*\d{1,5}\s*$/.test(typed) ? [Number(typed)] : null;
    case "day":
      if (!/^\d{4}-\d\d-\d\d$/.test(typed)) return null;
      return [operator === "$after" ? dayEnd(typed, timezone) : dayStart(typed, timezone)];
    default: {
      const values = valuesIn(typed);
      return values.length === 0 ? null : values;
    }
  }
}

/** What somebody would have typed for what was sent; null where nobody can. */
export function typedOperands(
  operands: readonly unknown[],
  as: Operands,
  { digits, fields: { timezone } }: Reads,
): string | null {
  const [first] = operands;
  switch (as) {
    case "none":
      return "";
    case "money":
      return Number.isSafeInteger(Number(first)) ? decimalString(Number(first), digits) : null;
    case "day": {
      const at = Date.parse(String(first));
      return Number.isNaN(at) ? null : dayIn(at, timezone);
    }
    case "values":
    case "choice":
      return typedOf(operands.map(String));
    default:
      return String(first);
  }
}

const dayIn = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);

/** Why what was typed cannot be sent. */
export function missingOf(as: Operands, { currency }: Pick<Project, "currency">): string {
  const words = t.conditions.missing;
  if (as === "money") return words.money(currency);
  if (as === "number" || as === "days" || as === "day" || as === "choice") return words[as];
  return words.value;
}
