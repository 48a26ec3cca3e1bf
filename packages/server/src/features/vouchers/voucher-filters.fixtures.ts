import fc from "fast-check";
import type { Context } from "../../platform/context.js";
import { jsonOf, sql } from "../../platform/db/sql.js";

/** A voucher as the oracle sees it: what the columns hold, by the names of the filters. */
export interface Stock {
  code: string;
  type: string;
  category: string | null;
  holder_id: string | null;
  is_referral_code: boolean | null;
  active: boolean | null;
  start_date: number | null;
  expiration_date: number | null;
  created_at: number;
  validity_day_of_week: number[] | null;
  "redemption.quantity": number | null;
  "redemption.redeemed_quantity": number;
  "metadata.colour": unknown;
}

export const now = Date.parse("2026-03-02T10:00:00.000Z");
const day = 86_400_000;
const pick = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;
const colours = ["red", "dark_red", "50%", "5", 5, 7.5, true, ["red", "blue"], [], null, undefined, "", "Red"];

/** Small, and with every kind of gap: whatever may be null is null somewhere. */
export const stock: Stock[] = Array.from({ length: 60 }, (_none, i) => ({
  code: pick(["SUMMER-", "summer-", "W%_", "Zoë "], i) + i,
  type: pick(["DISCOUNT_VOUCHER", "GIFT_VOUCHER", "LOYALTY_CARD"], i * 7),
  category: pick([null, "shoes", "hats"], i >> 1),
  holder_id: pick([null, "cust_a", "cust_b"], i >> 2),
  is_referral_code: pick([null, true, false, false], i >> 1),
  active: pick([null, true, false], i),
  start_date: pick([null, now - 3 * day, now, now + 5 * day, now + 40 * day], i),
  expiration_date: pick([null, now - 1, now + 1, now - 400 * day, now + 14 * 3_600_000, now + 7 * day], i >> 1),
  created_at: now - i * 9 * 3_600_000,
  validity_day_of_week: pick([null, [], [1], [0, 6], [1, 2, 3]], i),
  "redemption.quantity": pick([null, 1, 10], i),
  "redemption.redeemed_quantity": pick([0, 0, 1, 5], i >> 1),
  "metadata.colour": pick(colours, i),
}));

/** Writes the stock as it is, past the checks of the API: some of it an older version may have left. */
export async function store({ db }: Context, project_id: string): Promise<void> {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  for (const [i, name] of ["shoes", "hats"].entries()) {
    await db.run(sql`
      insert into categories (project_id, id, name, hierarchy, created_at)
      values (${project_id}, ${`cat_${name}`}, ${name}, ${i}, ${iso(now)})`);
  }
  for (const one of stock) {
    const category_id = one.category && `cat_${one.category}`;
    const metadata = one["metadata.colour"] === undefined ? {} : { colour: one["metadata.colour"] };
    await db.run(sql`
      insert into vouchers (project_id, id, code, code_key, type, quantity, category_id, start_date, expiration_date,
        validity_day_of_week, active, metadata, is_referral_code, holder_id, created_at)
      values (${project_id}, ${`v_${one.code}`}, ${one.code}, ${one.code}, ${one.type}, ${one["redemption.quantity"]},
        ${category_id}, ${iso(one.start_date)}, ${iso(one.expiration_date)}, ${one.validity_day_of_week}, ${one.active},
        ${jsonOf(metadata)}, ${one.is_referral_code}, ${one.holder_id}, ${iso(one.created_at)})`);
    if (one["redemption.redeemed_quantity"] > 0) {
      await db.run(sql`
        insert into voucher_usage (project_id, voucher_id, redeemed_quantity)
        values (${project_id}, ${`v_${one.code}`}, ${one["redemption.redeemed_quantity"]})`);
    }
  }
}

// ---- The oracle: what rules.md §5 and §15 say, one value at a time ----

type Says = (value: never, operands: string[]) => boolean;
const isMissing = (value: unknown) => value === null || value === undefined;

const texts: Record<string, Says> = {
  $is: (value: string, operands) => operands.includes(value),
  $in: (value: string, operands) => operands.includes(value),
  $contains: (value: string, operands) => operands.some((part) => value.includes(part)),
  $starts_with: (value: string, operands) => operands.some((part) => value.startsWith(part)),
  $ends_with: (value: string, operands) => operands.some((part) => value.endsWith(part)),
};
const comparisons: Record<string, (value: number, operand: number) => boolean> = {
  $more_than: (value, operand) => value > operand,
  $less_than: (value, operand) => value < operand,
  $more_than_equal: (value, operand) => value >= operand,
  $less_than_equal: (value, operand) => value <= operand,
};
const numbers: Record<string, Says> = {
  $is: (value: number, operands) => operands.map(Number).includes(value),
  $in: (value: number, operands) => operands.map(Number).includes(value),
  ...Object.fromEntries(
    Object.entries(comparisons).map(([operator, holds]): [string, Says] => [
      operator,
      (value: number, operands) => operands.some((operand) => holds(value, Number(operand))),
    ]),
  ),
};
/** Warsaw is an hour ahead of UTC all through the dates used here, but for what lies more than half a year back. */
const localDay = (instant: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Warsaw" }).format(new Date(instant));
const dayNumber = (instant: number) => Date.parse(`${localDay(instant)}T00:00:00Z`) / day;
const daysAgo = (value: number) => dayNumber(now) - dayNumber(value);
const monthOf = (instant: number) => localDay(instant).slice(0, 7);
const dates: Record<string, Says> = {
  $is: (value: number, operands) => operands.some((at) => Date.parse(at) === value),
  $after: (value: number, [at = ""]) => value > Date.parse(at),
  $before: (value: number, [at = ""]) => value < Date.parse(at),
  $more_than: (value: number, [n]) => daysAgo(value) > Number(n),
  $less_than: (value: number, [n]) => daysAgo(value) >= 0 && daysAgo(value) < Number(n),
  $more_than_equal: (value: number, [n]) => daysAgo(value) >= Number(n) && daysAgo(value) >= 0,
  $less_than_equal: (value: number, [n]) => daysAgo(value) >= 0 && daysAgo(value) <= Number(n),
  $is_days_ago: (value: number, [n]) => daysAgo(value) === Number(n),
  $is_days_in_future: (value: number, [n]) => -daysAgo(value) === Number(n),
  $more_than_future: (value: number, [n]) => -daysAgo(value) > Number(n),
  $today: (value: number) => daysAgo(value) === 0,
  $yesterday: (value: number) => daysAgo(value) === 1,
  $this_month: (value: number) => monthOf(value) === monthOf(now),
  $this_year: (value: number) => monthOf(value).slice(0, 4) === "2026",
  $is_month: (value: number, operands) => operands.map(Number).includes(Number(monthOf(value).slice(5))),
  $is_day_of_month: (value: number, operands) => operands.map(Number).includes(Number(localDay(value).slice(8))),
  $is_day: (value: number, operands) => operands.map(Number).includes((dayNumber(value) + 4) % 7),
};
const canonical = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const elements = (value: unknown) => (Array.isArray(value) ? value : [value]);
const someText = (holds: (text: string, part: string) => boolean) => (value: unknown, operands: string[]) =>
  elements(value).some((text) => typeof text === "string" && operands.some((part) => holds(text, part)));
const anything: Record<string, Says> = {
  $is: (value: unknown, operands) => elements(value).some((one) => operands.includes(canonical(one))),
  $in: (value: unknown, operands) => elements(value).some((one) => operands.includes(canonical(one))),
  $starts_with: someText((text, part) => text.startsWith(part)),
  $contains: (value: unknown, operands) =>
    Array.isArray(value)
      ? value.some((one) => operands.includes(canonical(one)))
      : typeof value === "string" && operands.some((part) => value.includes(part)),
  $more_than: (value: unknown, operands) =>
    elements(value).some((one) => /^[\d.]+$/.test(String(one)) && operands.some((n) => Number(one) > Number(n))),
};
const lists: Record<string, Says> = {
  $is: (value: number[], operands) => value.some((one) => operands.includes(String(one))),
  $contains: (value: number[], operands) => value.some((one) => operands.includes(String(one))),
};

const negations: Record<string, string> = { $is_not: "$is", $not_in: "$in", $not_contain: "$contains" };

function holds(operators: Record<string, Says>, operator: string, value: unknown, operands: string[]): boolean {
  if (operator === "$has_value") return !isMissing(value);
  if (operator === "$is_unknown") return isMissing(value);
  const positive = negations[operator];
  if (positive) return isMissing(value) || !operators[positive]?.(value as never, operands);
  return !isMissing(value) && (operators[operator]?.(value as never, operands) ?? false);
}

// ---- Random filters ----

const some = (values: readonly string[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const one = (values: readonly string[]) => fc.constantFrom(...values).map((value) => [value]);
const moments = [now, now - day, now + 5 * day, now - 27 * 3_600_000].map((at) => new Date(at).toISOString());
const kinds = {
  text: {
    operators: texts,
    of: () =>
      some([
        "SUMMER-0",
        "SUMMER-",
        "summer",
        "_",
        "%",
        "W%",
        "1",
        "shoes",
        "hats",
        "cust_a",
        "GIFT_VOUCHER",
        "é",
        "\\",
        "' or 1=1 --",
      ]),
  },
  number: { operators: numbers, of: () => some(["0", "1", "5", "4.5", "-1", "10"]) },
  date: {
    operators: dates,
    of: (operator: string) =>
      ["$is", "$is_not", "$after", "$before"].includes(operator)
        ? one(moments)
        : one(["0", "1", "2", "3", "4", "6", "28"]),
  },
  json: {
    operators: anything,
    of: (operator: string) =>
      operator === "$more_than"
        ? some(["4", "6", "7.5"])
        : some(["red", "re", "Red", "5", "7.5", "true", "%", "_", "", "blue"]),
  },
  list: { operators: lists, of: () => some(["0", "1", "6"]) },
};
const fields: Partial<Record<keyof Stock, keyof typeof kinds>> = {
  code: "text",
  type: "text",
  category: "text",
  holder_id: "text",
  start_date: "date",
  expiration_date: "date",
  created_at: "date",
  validity_day_of_week: "list",
  "redemption.quantity": "number",
  "redemption.redeemed_quantity": "number",
  "metadata.colour": "json",
};

export interface Condition {
  field: keyof Stock;
  operator: string;
  operands: string[];
}

export const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(...(Object.entries(fields) as [keyof Stock, keyof typeof kinds][]))
  .chain(([field, kind]) => {
    const { operators, of } = kinds[kind];
    const denied = Object.keys(negations).filter((operator) => (negations[operator] ?? "") in operators);
    return fc
      .constantFrom(...Object.keys(operators), ...denied, "$has_value", "$is_unknown")
      .chain((operator) => of(operator).map((operands) => ({ field, operator, operands })));
  });

/** The codes that a plain look at each voucher finds. */
export const expected = (conditions: readonly Condition[], junction: string): string[] => {
  const by_field = new Map<keyof Stock, Condition[]>();
  for (const condition of conditions)
    by_field.set(condition.field, [...(by_field.get(condition.field) ?? []), condition]);
  const holdsFor = (voucher: Stock) => {
    const fields_hold = [...by_field].map(([field, of_field]) =>
      of_field.every(({ operator, operands }) =>
        holds(kinds[fields[field] ?? "text"].operators, operator, voucher[field], operands),
      ),
    );
    return junction === "and" ? fields_hold.every(Boolean) : fields_hold.some(Boolean);
  };
  return stock
    .filter(holdsFor)
    .map(({ code }) => code)
    .sort();
};

export const queryOf = (conditions: readonly Condition[], junction: string) => {
  const query = new URLSearchParams({ "filters[junction]": junction, limit: "100" });
  for (const { field, operator, operands } of conditions) {
    for (const [i, operand] of operands.entries()) {
      query.set(`filters[${field}][conditions][${operator}][${i}]`, operand);
    }
  }
  return query.toString();
};
