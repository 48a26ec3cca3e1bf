export const RANGES = ["$less_than", "$less_than_or_equal", "$more_than", "$more_than_or_equal"] as const;
export const EQUALITIES = ["$is", "$is_not", "$in", "$not_in"] as const;
export const TEXTS = ["$starts_with", "$ends_with", "$contains"] as const;
export const COUNTS = ["$count", "$count_more", "$count_less"] as const;
export const SETS = ["$not_differ", "$not_intersect"] as const;
export const DAYS = [
  "$more_than_ago",
  "$less_than_ago",
  "$is_days_ago",
  "$more_than_future",
  "$less_than_future",
  "$is_days_in_future",
] as const;
export const TIMES = [
  "$timeframe",
  "$timeframe_absolute",
  "$timeframe_daily_hours",
  "$dow",
  "$after",
  "$before",
  ...DAYS,
] as const;

/** Every operator of rules.md §4 under its own name; `$from` only means something to item rules. */
export const OPERATORS = [...EQUALITIES, ...RANGES, ...TEXTS, ...TIMES, ...COUNTS, ...SETS, "$from"] as const;
export type OperatorName = (typeof OPERATORS)[number];
export type EqualityOperator = (typeof EQUALITIES)[number];
export type RangeOperator = (typeof RANGES)[number];
export type TextOperator = (typeof TEXTS)[number];
export type CountOperator = (typeof COUNTS)[number];
export type SetOperator = (typeof SETS)[number];
export type DaysOperator = (typeof DAYS)[number];
export type TimeOperator = (typeof TIMES)[number];

/** Other spellings (rules.md §4): the reference's samples and the filters use them. */
export const ALIASES: Readonly<Record<string, OperatorName>> = {
  $greater_than_or_equal: "$more_than_or_equal",
  $more_than_equal: "$more_than_or_equal",
  $greater_than: "$more_than",
  $less_than_equal: "$less_than_or_equal",
};

export const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/** The operator a word stands for; null when there is none. */
export function operatorOf(word: string): OperatorName | null {
  if (Object.hasOwn(ALIASES, word)) return ALIASES[word] as OperatorName;
  return isOneOf(OPERATORS, word) ? word : null;
}

/** Operators that compare with one value; what stood behind it would be passed over in silence (rules.md §4). */
export const takesOne = (operator: OperatorName) =>
  [...RANGES, ...COUNTS, "$after", "$before", ...DAYS].includes(operator);

/** Operators that hold for a value that is missing (rules.md §5). */
export const isNegative = (operator: OperatorName) =>
  operator === "$is_not" || operator === "$not_in" || operator === "$not_intersect";
