import { describe, expect, test } from "vitest";
import { RULE_NAMES } from "./index.js";
import { faultOf, leaf } from "./rules.fixtures.js";

const refused = (name: string, conditions: object) =>
  faultOf({ rules: { "1": leaf(name, conditions, { property: "value" }) } });

const number_or_date = "must be a number or a date of the form YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ";
const date = "must be a date of the form YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ";
const count = "must be a whole number of at least 0";
const weekday = "must be a weekday from 0 (Sunday) to 6";
const timeframe = "must be 'start;interval;duration', a date and two ISO 8601 durations";
const period = "must be 'from;to', two dates in their order";
const hours = "must be 'HH:MM;HH:MM;d,d', with weekdays from 0 (Sunday) to 6";
const days = "must be a whole number of days";

describe("an operand that no value could satisfy is refused, by its place", () => {
  test.each`
    operator                    | operands                                              | problem
    ${"$is"}                    | ${[null]}                                             | ${"[0] must not be null"}
    ${"$in"}                    | ${["a", null]}                                        | ${"[1] must not be null"}
    ${"$is"}                    | ${[{ any: ["shape"] }]}                               | ${null}
    ${"$in"}                    | ${[1, "a", true]}                                     | ${null}
    ${"$more_than"}             | ${["seven"]}                                          | ${`[0] ${number_or_date}`}
    ${"$more_than"}             | ${[true]}                                             | ${`[0] ${number_or_date}`}
    ${"$more_than"}             | ${[[1]]}                                              | ${`[0] ${number_or_date}`}
    ${"$less_than_or_equal"}    | ${["2025-02-29"]}                                     | ${`[0] ${number_or_date}`}
    ${"$less_than_or_equal"}    | ${["2024-02-29"]}                                     | ${null}
    ${"$less_than"}             | ${["-1.5e3"]}                                         | ${null}
    ${"$less_than"}             | ${[1, 2]}                                             | ${" must have a single value"}
    ${"$greater_than_or_equal"} | ${["x"]}                                              | ${`[0] ${number_or_date}`}
    ${"$count"}                 | ${[-1]}                                               | ${`[0] ${count}`}
    ${"$count_more"}            | ${[1.5]}                                              | ${`[0] ${count}`}
    ${"$count_less"}            | ${["3"]}                                              | ${null}
    ${"$count"}                 | ${[1, 2]}                                             | ${" must have a single value"}
    ${"$after"}                 | ${["tomorrow"]}                                       | ${`[0] ${date}`}
    ${"$before"}                | ${[20250101]}                                         | ${`[0] ${date}`}
    ${"$before"}                | ${["2025-01-01", "2026-01-01"]}                       | ${" must have a single value"}
    ${"$dow"}                   | ${[7]}                                                | ${`[0] ${weekday}`}
    ${"$dow"}                   | ${[1, "Monday"]}                                      | ${`[1] ${weekday}`}
    ${"$dow"}                   | ${[]}                                                 | ${null}
    ${"$timeframe"}             | ${["2025-01-01;P1D"]}                                 | ${`[0] ${timeframe}`}
    ${"$timeframe"}             | ${["2025-01-01;P0D;PT1H"]}                            | ${`[0] ${timeframe}`}
    ${"$timeframe"}             | ${["2025-01-01;P1D;PT0S"]}                            | ${`[0] ${timeframe}`}
    ${"$timeframe"}             | ${["2025-01-01;1 day;PT1H"]}                          | ${`[0] ${timeframe}`}
    ${"$timeframe"}             | ${["2025-01-01;P1D;PT1H;P1D"]}                        | ${`[0] ${timeframe}`}
    ${"$timeframe_absolute"}    | ${["2025-01-01;2025-01-02", "2025-02-30;2026-01-01"]} | ${`[1] ${period}`}
    ${"$timeframe_absolute"}    | ${["2026-01-01;2025-01-01"]}                          | ${`[0] ${period}`}
    ${"$timeframe_absolute"}    | ${["2025-01-01T01:00:00+05:00;2024-12-31T19:00:00Z"]} | ${`[0] ${period}`}
    ${"$timeframe_absolute"}    | ${["2025-01-01T00:00:00Z;2025-01-01"]}                | ${null}
    ${"$timeframe_absolute"}    | ${[5]}                                                | ${`[0] ${period}`}
    ${"$timeframe_daily_hours"} | ${["09:30;11:00"]}                                    | ${`[0] ${hours}`}
    ${"$timeframe_daily_hours"} | ${["09:30;25:00;1"]}                                  | ${`[0] ${hours}`}
    ${"$timeframe_daily_hours"} | ${["09:30;11:00;1,7"]}                                | ${`[0] ${hours}`}
    ${"$timeframe_daily_hours"} | ${["09:30;11:00; 1, 5"]}                              | ${null}
    ${"$is_days_ago"}           | ${["a week"]}                                         | ${`[0] ${days}`}
    ${"$more_than_ago"}         | ${[1.5]}                                              | ${`[0] ${days}`}
    ${"$less_than_future"}      | ${["2"]}                                              | ${null}
    ${"$is_days_in_future"}     | ${[1, 2]}                                             | ${" must have a single value"}
    ${"$from"}                  | ${["pc_1"]}                                           | ${"unsupported"}
  `("$operator $operands: $problem", ({ operator, operands, problem }) => {
    const details = refused("custom_event.metadata", { $is_not: ["x"], [operator]: operands });
    if (problem === "unsupported") {
      expect(details).toBe(`Condition '${operator}' is not supported by rule 'custom_event.metadata'`);
    } else expect(details).toBe(problem && `Property .rules.1.conditions.${operator}${problem}`);
  });

  test.each`
    name                        | conditions                                 | problem
    ${"redemption.count.daily"} | ${{ $less_than: [-1] }}                    | ${"$less_than[0] must be a number of at least 0"}
    ${"campaign.orders.amount"} | ${{ $is: ["x"] }}                          | ${"$is[0] must be a number of at least 0"}
    ${"redemption.count.daily"} | ${{ $less_than_or_equal: [0] }}            | ${null}
    ${"customer.metadata"}      | ${{ $more_than: [-1] }}                    | ${null}
    ${"order.items.any"}        | ${{ $is: ["prod_1", {}] }}                 | ${"$is[1] must name a product, SKU or collection by its 'id' or 'source_id'"}
    ${"order.items.every"}      | ${{ $is: ["prod_1"], $from: [{ id: 5 }] }} | ${"$from[0] must name a product, SKU or collection by its 'id' or 'source_id'"}
    ${"product.id"}             | ${{ $is: [{ source_id: "mug" }] }}         | ${null}
  `("$name $conditions: $problem", ({ name, conditions, problem }) => {
    expect(refused(name, conditions)).toBe(problem && `Property .rules.1.conditions.${problem}`);
  });
});

describe("an operator that means nothing to a rule is refused", () => {
  const supported = (operator: string, operands: unknown[]) =>
    RULE_NAMES.filter((name) => refused(name, { [operator]: operands }) === null);
  const items = /^(order\.items\.(any|every|none|cheapest|most_expensive)|(product|sku)\.id)$/;
  const metadata = /metadata(_any|_each|\.aggregated_\w+)?$/;
  const references = /^(customer\.(segment|loyalty[._]tier)|redemption\.(api_key|user\.login)|publication\..*)$/;
  const marks = /(discount_applicable|match_all)$/;

  test("$from is for items", () => {
    expect(supported("$from", ["pc_1"])).toEqual(RULE_NAMES.filter((name) => items.test(name)));
  });

  test("equality is for all, ranges for numbers and metadata, texts and times for metadata", () => {
    expect(supported("$is", ["1"])).toEqual(RULE_NAMES);
    expect(supported("$more_than", [1])).toEqual(
      RULE_NAMES.filter((name) => ![items, references, marks].some((kind) => kind.test(name))),
    );
    for (const [operator, operand] of [
      ["$contains", "a"],
      ["$count", 1],
      ["$after", "2025-01-01"],
    ] as const) {
      expect(supported(operator, [operand])).toEqual(RULE_NAMES.filter((name) => metadata.test(name)));
    }
    expect(supported("$not_intersect", ["a"])).toEqual(
      RULE_NAMES.filter((name) => metadata.test(name) || references.test(name)),
    );
  });
});
