import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Work } from "../../work.js";
import type { FilterClock, FilterField } from "./contract.js";
import { compileFilter, plainField } from "./filter.js";
import { compileLocation } from "./locations.js";
import { FILTER_OPERATORS } from "./operators.js";

// Tuesday 10 June 2025, 12:00 in Warsaw.
const clock: FilterClock = {
  ...{ instant: Date.parse("2025-06-10T10:00:00Z"), time_zone: "Europe/Warsaw" },
  work: new Work({ turn_max: Infinity, decision_max: Infinity }),
};

const matches = (source: unknown, subject: object, at = clock, types: Record<string, FilterField["type"]> = {}) => {
  const compiled = compileFilter(source, (path) => plainField(path, types[path] ?? null));
  return "fault" in compiled ? compiled.fault.details : compiled.filter(subject as Record<string, unknown>, at);
};

const holds = (operator: string, operands: unknown, value: unknown, type: FilterField["type"] = null, at = clock) =>
  matches({ field: { conditions: { [operator]: operands } } }, { field: value }, at, { field: type });

describe("junction", () => {
  const filter = (junction: unknown) => ({
    junction,
    name: { conditions: { $is: ["Ann"] } },
    "address.city": { conditions: { $is: "Gdynia" } },
  });
  const customer = { name: "Ann", address: { city: "Łódź" } };
  const wrong = "Property .filter has wrong `junction` property. It must be one of: and, or";
  test.each`
    junction     | outcome
    ${"and"}     | ${false}
    ${"AND"}     | ${false}
    ${undefined} | ${false}
    ${"or"}      | ${true}
    ${"Or"}      | ${true}
    ${"xor"}     | ${wrong}
    ${7}         | ${wrong}
  `("$junction: $outcome", ({ junction, outcome }) => expect(matches(filter(junction), customer)).toBe(outcome));

  test("no field matches everything, an unknown operator nothing at all", () => {
    expect(matches({ junction: "or" }, {})).toBe(true);
    expect(holds("$about", 1, 1)).toMatch(/^Property \.parameters\.filters should match either \$is, /);
    expect(holds("$from", 1, 1)).toMatch(/^Property \.parameters\.filters/);
    expect(matches({ name: 5 }, {})).toMatch(/^Property \.filter/);
    expect(matches(null, {})).toBe("Property .filter must be object");
  });
});

describe("a filter that cannot mean anything is refused by the path of the field", () => {
  const moment = "of the form YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ";
  test.each`
    filter                                                        | details
    ${{ "metadata.plan": "gold" }}                                | ${".metadata.plan must be an object with 'conditions'"}
    ${{ "metadata.plan": { conditions: ["gold"] } }}              | ${".metadata.plan.conditions must be an object"}
    ${{ price: { conditions: { $more_than: ["dear"] } } }}        | ${`.price.conditions.$more_than[0] must be a number or a date ${moment}`}
    ${{ price: { $more_than: "dear" } }}                          | ${`.price.conditions.$more_than[0] must be a number or a date ${moment}`}
    ${{ created_at: { conditions: { $after: "soon" } } }}         | ${`.created_at.conditions.$after[0] must be a date ${moment}`}
    ${{ tags: { conditions: { $count: ["some"] } } }}             | ${".tags.conditions.$count[0] must be a whole number of at least 0"}
    ${{ birthdate: { conditions: { $is_month: [6, "July"] } } }}  | ${".birthdate.conditions.$is_month[1] must be a number"}
    ${{ birthdate: { conditions: { $is_days_ago_md: [true] } } }} | ${".birthdate.conditions.$is_days_ago_md[0] must be a number"}
    ${{ created_at: { conditions: { $more_than: "5" } } }}        | ${null}
    ${{ created_at: { conditions: { $today: "" } } }}             | ${null}
    ${{ name: { conditions: { $has_value: null, $is: "" } } }}    | ${null}
  `("$filter: $details", ({ filter, details }) => {
    const compiled = compileFilter({ junction: "and", ...filter }, plainField);
    const found = "fault" in compiled ? compiled.fault : null;
    expect(found?.details ?? null).toBe(details && `Property .filter${details}`);
    if (found !== null) expect(found.details).toContain(`.${found.path} `);
  });

  test("also where the text says which operators there are instead", () => {
    const compiled = compileFilter({ "metadata.plan": { conditions: { $about: 1 } } }, plainField);
    expect(compiled).toMatchObject({ fault: { path: "filter.metadata.plan.conditions.$about" } });
    expect(compileFilter({ junction: "nor" }, plainField)).toMatchObject({ fault: { path: "filter.junction" } });
  });
});

test("conditions of one field are joined with and, whatever the junction", () => {
  const filter = { junction: "or", price: { conditions: { $more_than: 5, $less_than: 9 } } };
  expect([5, 6, 9].map((price) => matches(filter, { price }))).toEqual([false, true, false]);
});

describe("operators", () => {
  test.each`
    operator              | operands       | value              | type        | outcome
    ${"$is"}              | ${"France"}    | ${"France"}        | ${null}     | ${true}
    ${"$is"}              | ${["a", "b"]}  | ${"b"}             | ${null}     | ${true}
    ${"$is_not"}          | ${["a", "b"]}  | ${"b"}             | ${null}     | ${false}
    ${"$in"}              | ${["1", "2"]}  | ${2}               | ${"number"} | ${true}
    ${"$has_value"}       | ${""}          | ${0}               | ${null}     | ${true}
    ${"$has_value"}       | ${true}        | ${null}            | ${null}     | ${false}
    ${"$is_unknown"}      | ${true}        | ${undefined}       | ${null}     | ${true}
    ${"$contains"}        | ${"mm"}        | ${"summer"}        | ${null}     | ${true}
    ${"$contains"}        | ${["red"]}     | ${["red", "blue"]} | ${null}     | ${true}
    ${"$contains"}        | ${["re"]}      | ${["red", "blue"]} | ${null}     | ${false}
    ${"$contains"}        | ${["x", "mm"]} | ${"summer"}        | ${null}     | ${true}
    ${"$not_contain"}     | ${["red"]}     | ${["blue"]}        | ${null}     | ${true}
    ${"$not_contain"}     | ${"mm"}        | ${"summer"}        | ${null}     | ${false}
    ${"$not_contain"}     | ${"mm"}        | ${undefined}       | ${null}     | ${true}
    ${"$starts_with"}     | ${"su"}        | ${"summer"}        | ${null}     | ${true}
    ${"$more_than"}       | ${["0"]}       | ${3}               | ${"number"} | ${true}
    ${"$more_than_equal"} | ${["3"]}       | ${3}               | ${"number"} | ${true}
    ${"$less_than_equal"} | ${[2]}         | ${3}               | ${"number"} | ${false}
    ${"$count_more"}      | ${[1]}         | ${["a", "b"]}      | ${null}     | ${true}
    ${"$count"}           | ${[0]}         | ${undefined}       | ${null}     | ${true}
  `("$value $operator $operands: $outcome", ({ operator, operands, value, type, outcome }) => {
    expect(holds(operator, operands, value, type)).toBe(outcome);
  });
});

describe("dates, on 10 June 2025", () => {
  test.each`
    operator              | operands        | value                     | outcome
    ${"$more_than"}       | ${3}            | ${"2025-06-06"}           | ${true}
    ${"$more_than"}       | ${"3"}          | ${"2025-06-07"}           | ${false}
    ${"$more_than_equal"} | ${3}            | ${"2025-06-07"}           | ${true}
    ${"$less_than"}       | ${3}            | ${"2025-06-08T01:00"}     | ${true}
    ${"$less_than_equal"} | ${3}            | ${"2025-06-06"}           | ${false}
    ${"$less_than"}       | ${3}            | ${"2025-06-11"}           | ${false}
    ${"$more_than"}       | ${"2025-06-01"} | ${"2025-06-02"}           | ${true}
    ${"$after"}           | ${"2025-06-09"} | ${"2025-06-09T10:00:00Z"} | ${true}
    ${"$is_days_ago"}     | ${1}            | ${"2025-06-08T22:00:00Z"} | ${true}
    ${"$is_years_ago"}    | ${25}           | ${"2000-06-10"}           | ${true}
    ${"$is_years_ago"}    | ${25}           | ${"2000-06-11"}           | ${false}
    ${"$is_years_ago"}    | ${25}           | ${"1999-06-11"}           | ${true}
    ${"$today"}           | ${[true]}       | ${"2025-06-09T22:00:00Z"} | ${true}
    ${"$tomorrow"}        | ${[true]}       | ${"2025-06-11"}           | ${true}
    ${"$yesterday"}       | ${[true]}       | ${"2025-06-09"}           | ${true}
    ${"$this_week"}       | ${[true]}       | ${"2025-06-09"}           | ${true}
    ${"$this_week"}       | ${[true]}       | ${"2025-06-15"}           | ${true}
    ${"$this_week"}       | ${[true]}       | ${"2025-06-08"}           | ${false}
    ${"$last_week"}       | ${[true]}       | ${"2025-06-08"}           | ${true}
    ${"$next_week"}       | ${[true]}       | ${"2025-06-16"}           | ${true}
    ${"$this_month"}      | ${[true]}       | ${"2025-06-30"}           | ${true}
    ${"$last_month"}      | ${[true]}       | ${"2025-05-01"}           | ${true}
    ${"$next_month"}      | ${[true]}       | ${"2025-07-31"}           | ${true}
    ${"$next_month"}      | ${[true]}       | ${"2024-07-31"}           | ${false}
    ${"$this_year"}       | ${[true]}       | ${"2025-01-01"}           | ${true}
    ${"$last_year"}       | ${[true]}       | ${"2024-12-31"}           | ${true}
    ${"$next_year"}       | ${[true]}       | ${"2026-01-01"}           | ${true}
    ${"$is_day_of_month"} | ${[9, 10]}      | ${"2001-02-10"}           | ${true}
    ${"$is_day"}          | ${2}            | ${"2025-06-10"}           | ${true}
    ${"$is_month"}        | ${6}            | ${"1999-06-01"}           | ${true}
    ${"$is_year"}         | ${"1999"}       | ${"1999-06-01"}           | ${true}
    ${"$today"}           | ${[true]}       | ${"no date"}              | ${false}
    ${"$today"}           | ${[true]}       | ${undefined}              | ${false}
  `("$value $operator $operands: $outcome", ({ operator, operands, value, outcome }) => {
    expect(holds(operator, operands, value, "date")).toBe(outcome);
  });

  test("the project's week may begin on Sunday or Saturday", () => {
    const week = (week_start: number) => holds("$this_week", [true], "2025-06-08", "date", { ...clock, week_start });
    expect([week(0), week(6), week(1)]).toEqual([true, true, false]);
    expect(holds("$this_week", [true], "2025-06-07", "date", { ...clock, week_start: 0 })).toBe(false);
  });
});

describe("anniversaries ignore the year", () => {
  test.each`
    operator                        | operands  | value           | outcome
    ${"$today_md"}                  | ${[true]} | ${"1990-06-10"} | ${true}
    ${"$tomorrow_md"}               | ${[true]} | ${"1990-06-11"} | ${true}
    ${"$yesterday_md"}              | ${[true]} | ${"1990-06-10"} | ${false}
    ${"$this_week_md"}              | ${[true]} | ${"1990-06-15"} | ${true}
    ${"$last_month_md"}             | ${[true]} | ${"1990-05-31"} | ${true}
    ${"$next_month_md"}             | ${[true]} | ${"1990-07-01"} | ${true}
    ${"$this_month_md"}             | ${[true]} | ${"1990-07-01"} | ${false}
    ${"$is_days_ago_md"}            | ${9}      | ${"1990-06-01"} | ${true}
    ${"$is_days_ago_md"}            | ${364}    | ${"1990-06-11"} | ${true}
    ${"$is_more_days_ago_md"}       | ${9}      | ${"1990-06-01"} | ${false}
    ${"$is_less_days_ago_md"}       | ${10}     | ${"1990-06-01"} | ${true}
    ${"$is_days_in_future_md"}      | ${0}      | ${"1990-06-10"} | ${true}
    ${"$is_days_in_future_md"}      | ${30}     | ${"1990-07-10"} | ${true}
    ${"$is_more_days_in_future_md"} | ${30}     | ${"1990-07-11"} | ${true}
    ${"$is_more_days_in_future_md"} | ${100}    | ${"1990-06-01"} | ${true}
    ${"$is_less_days_in_future_md"} | ${100}    | ${"1990-06-01"} | ${false}
    ${"$is_more_days_ago_md"}       | ${100}    | ${"1990-06-11"} | ${true}
    ${"$is_less_days_in_future_md"} | ${30}     | ${"1990-07-10"} | ${false}
  `("$value $operator $operands: $outcome", ({ operator, operands, value, outcome }) => {
    expect(holds(operator, operands, value, "date")).toBe(outcome);
  });

  test("29 February is 28 February in common years, and a week may span the new year", () => {
    const on = (iso: string) => ({ ...clock, instant: Date.parse(iso) });
    expect(holds("$today_md", true, "2004-02-29", "date", on("2025-02-28T12:00:00Z"))).toBe(true);
    expect(holds("$today_md", true, "2004-02-29", "date", on("2028-02-28T12:00:00Z"))).toBe(false);
    expect(holds("$this_week_md", true, "1990-01-02", "date", on("2024-12-31T12:00:00Z"))).toBe(true);
    expect(holds("$last_month_md", true, "1990-12-05", "date", on("2025-01-15T12:00:00Z"))).toBe(true);
  });
});

describe("locations", () => {
  const shop = compileLocation({ type: "circle", distance: { center: "geo:52.23,21.01", radius: "1.5 km" } });
  const square = (x: number, y: number, size: number) => [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
  const park = compileLocation({
    type: "polygon",
    geojson: { type: "Polygon", coordinates: [square(0, 0, 10), square(4, 4, 2)] },
  });
  const at = {
    ...clock,
    location: (id: string) => (id === "loc_shop" ? shop : park),
  };
  test.each`
    operator              | location      | value                 | outcome
    ${"$in_location"}     | ${"loc_shop"} | ${"geo:52.231,21.01"} | ${true}
    ${"$in_location"}     | ${"loc_shop"} | ${"52.25,21.01"}      | ${false}
    ${"$not_in_location"} | ${"loc_shop"} | ${"52.25,21.01"}      | ${true}
    ${"$in_location"}     | ${"loc_shop"} | ${undefined}          | ${false}
    ${"$not_in_location"} | ${"loc_shop"} | ${undefined}          | ${false}
    ${"$not_in_location"} | ${"loc_shop"} | ${"95,200"}           | ${false}
    ${"$in_location"}     | ${"loc_park"} | ${"1,9"}              | ${true}
    ${"$in_location"}     | ${"loc_park"} | ${"10,5"}             | ${true}
    ${"$in_location"}     | ${"loc_park"} | ${"5,5"}              | ${false}
    ${"$in_location"}     | ${"loc_park"} | ${"4,5"}              | ${true}
    ${"$in_location"}     | ${"loc_park"} | ${"11,5"}             | ${false}
  `("$value $operator $location: $outcome", ({ operator, location, value, outcome }) => {
    expect(holds(operator, [location], value, null, at)).toBe(outcome);
  });

  test("a shape nobody can read holds nothing, and without locations nothing is inside", () => {
    for (const shape of [
      null,
      {},
      { type: "circle", distance: { center: "x", radius: "1" } },
      { geojson: { type: "Polygon", coordinates: "?" } },
    ]) {
      expect(compileLocation(shape).holds({ latitude: 1, longitude: 1 })).toBe(false);
    }
    expect(holds("$in_location", ["loc_shop"], "52.231,21.01")).toBe(false);
  });

  test("each edge of a border that is asked counts as work", () => {
    const spent = (operands: string[]) => {
      const work = new Work({ turn_max: 1e6, decision_max: 1e6 });
      holds("$in_location", operands, "11,5", null, { ...at, work });
      return work.endTurn();
    };
    expect(spent(["loc_park", "loc_park"]) - spent(["loc_park"])).toBe(1 + 10);
  });
});

test("whatever stands in a filter and in its object: refused by its path, or judged", () => {
  const operand = fc.oneof(
    fc.constantFrom<unknown>("2025-06-10", "geo:1,2", 5, "5", null),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const types = fc.constantFrom<FilterField["type"]>(null, "date", "datetime", "number", "string");
  let judged = 0;
  fc.assert(
    fc.property(fc.constantFrom(...FILTER_OPERATORS), operand, operand, types, (operator, operands, field, type) => {
      const compiled = compileFilter({ field: { conditions: { [operator]: operands } } }, (path) =>
        plainField(path, type),
      );
      if ("fault" in compiled) {
        expect(compiled.fault.path).toContain(`filter.field.conditions.${operator}`);
        return;
      }
      judged += 1;
      expect(typeof compiled.filter({ field }, clock)).toBe("boolean");
    }),
    { numRuns: 2000 },
  );
  expect(judged).toBeGreaterThan(500);
});
