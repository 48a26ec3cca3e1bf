import type { Project } from "../../api/project.js";
import { t } from "../../text/index.js";
import type { Holds } from "./kinds.js";

const { bad, yes, no } = t.imports;

/** A cell as it will be stored, or why its row will be refused. */
export type Reading = { shown: string } | { fault: string };

const voucher_types = ["DISCOUNT_VOUCHER", "GIFT_VOUCHER"];
const discount_types = ["AMOUNT", "PERCENT", "FIXED", "UNIT"];
const amount_type = /^-?\d{1,13}(\.\d{1,2}0*)?$/;

/**
 * Reads a cell by the rules of the import; an empty one says nothing.
 * @param of other cells of its row, by field
 */
export function readingOf(
  holds: Holds,
  written: string,
  of: (field: string) => string,
  project: Pick<Project, "money">,
): Reading {
  if (holds === "text") return { shown: written };
  const cell = written.trim();
  if (cell === "") return { shown: "" };
  switch (holds) {
    case "count":
      return when(/^-?\d{1,16}$/.test(cell), cell, bad.count);
    case "number":
      return when(/^-?\d{1,15}(\.\d{1,15})?$/.test(cell), cell, bad.number);
    case "money":
      return amount_type.test(cell) ? { shown: moneyOf(cell, project) } : { fault: bad.money };
    case "flag": {
      const flag = cell.toLowerCase();
      return when(flag === "true" || flag === "false", flag === "true" ? yes : no, bad.flag);
    }
    case "date":
      return when(/^\d{4}-\d\d-\d\d(T.+)?$/.test(cell) && !Number.isNaN(Date.parse(cell)), cell, bad.date);
    case "voucher_type":
      return wordOf(cell, voucher_types);
    case "discount_type":
      return wordOf(cell, discount_types);
    case "value":
      return readingOf(valueHolds(of), cell, of, project);
  }
}

/** An amount is written in the major unit, with two digits for any currency. */
const moneyOf = (cell: string, { money }: Pick<Project, "money">) => {
  const [whole = "", fraction = ""] = cell.split(".");
  return money(Number(whole + fraction.slice(0, 2).padEnd(2, "0")));
};

/** What a voucher is worth is money, but for percentages and units. */
function valueHolds(of: (field: string) => string): Holds {
  if (of("voucher type").trim().toUpperCase() === "GIFT_VOUCHER") return "money";
  const type = of("discount type").trim().toUpperCase();
  return type === "PERCENT" ? "number" : type === "UNIT" ? "count" : "money";
}

const when = (is_right: boolean, shown: string, fault: string): Reading => (is_right ? { shown } : { fault });

const wordOf = (cell: string, words: readonly string[]): Reading =>
  when(words.includes(cell.toUpperCase()), cell.toUpperCase(), bad.word(words.join(", ")));
