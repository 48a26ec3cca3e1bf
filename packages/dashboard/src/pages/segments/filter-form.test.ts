import { describe, expect, test } from "vitest";
import { typedOf, valuesIn } from "../../api/values.js";
import type { ConditionRow } from "../../parts/conditions/operands.js";
import { type FieldName, field_groups, operandsOf, operatorsOf } from "./filter-fields.js";
import { type Filter, faultsIn, filterOf, formOf } from "./filter-form.js";

const project = { currency: "EUR", digits: 2, fields: { timezone: "Europe/Warsaw" } } as Parameters<typeof filterOf>[1];
const row = (field: FieldName, operator: ConditionRow["operator"], value = "", name = ""): ConditionRow => ({
  ...{ key: 0, field, operator, value, name },
});
const and = (...rows: ConditionRow[]) => ({ junction: "and" as const, rows });
const or = (...rows: ConditionRow[]) => ({ junction: "or" as const, rows });

describe("conditions that are typed become a filter", () => {
  test.each([
    [row("address.city", "$is", "Oslo, Rome"), { "address.city": { $is: ["Oslo", "Rome"] } }],
    [row("address.city", "$is", 'Oslo, "Washington, D.C."'), { "address.city": { $is: ["Oslo", "Washington, D.C."] } }],
    [
      row("summary.orders.total_amount", "$more_than", "99,90"),
      { "summary.orders.total_amount": { $more_than: [9_990] } },
    ],
    [row("loyalty.points", "$less_than_equal", "-1.5"), { "loyalty.points": { $less_than_equal: [-1.5] } }],
    [
      row("summary.orders.last_order_date", "$less_than_ago", "30"),
      { "summary.orders.last_order_date": { $less_than_ago: [30] } },
    ],
    [row("created_at", "$before", "2026-07-01"), { created_at: { $before: ["2026-06-30T22:00:00.000Z"] } }],
    [row("created_at", "$after", "2026-07-01"), { created_at: { $after: ["2026-07-01T21:59:59.000Z"] } }],
    [row("birthdate", "$this_month_md"), { birthdate: { $this_month_md: [true] } }],
    [row("metadata.*", "$is", "gold", "shop.tier"), { "metadata.shop.tier": { $is: ["gold"] } }],
    [row("events.*.count", "$more_than", "2", "app.opened"), { "events.app.opened.count": { $more_than: [2] } }],
  ])("%j", (one, fields) => {
    const filter = filterOf(and(one), project);
    const written = Object.entries(fields).map(([path, conditions]) => [path, { conditions }]);
    expect(filter).toEqual({ junction: "and", ...Object.fromEntries(written) });
    expect(formOf(filter as Filter, project)?.rows).toMatchObject([{ ...one, value: expect.any(String) }]);
  });

  test("and those about one thing stand together", () => {
    const form = and(row("created_at", "$after", "2026-01-01"), row("created_at", "$before", "2026-02-01"));
    expect(Object.keys((filterOf(form, project) as Record<string, never>).created_at ?? {})).toEqual(["conditions"]);
    expect(formOf(filterOf(form, project) as Filter, project)?.rows).toHaveLength(2);
  });
});

describe("every comparison that the form offers", () => {
  const typed = { values: "Oslo, 5", number: "5", money: "5.00", days: "5", day: "2026-05-05", none: "" };
  const offered = field_groups.flatMap(([, fields]) =>
    fields.flatMap(({ name, kind, named }) =>
      operatorsOf(kind).map((operator) => row(name, operator, typed[operandsOf(kind, operator)], named ? "x y" : "")),
    ),
  );

  test.each(offered)("$field $operator comes back as it went in", (one) => {
    const filter = filterOf(or(one), project) as Filter;
    expect(formOf(filter, project)).toEqual(or(one));
  });
});

describe("what cannot be sent is said at its field", () => {
  test.each([
    [and(row("name", "$is", " ,")), [{ value: expect.any(String) }]],
    [and(row("summary.orders.total_amount", "$is", "9.999")), [{ value: "An amount in EUR" }]],
    [and(row("loyalty.points", "$is", "many")), [{ value: "A number" }]],
    [and(row("created_at", "$more_than_ago", "1.5")), [{ value: "A whole number of days" }]],
    [and(row("created_at", "$after", "")), [{ value: "A day" }]],
    [and(row("metadata.*", "$has_value")), [{ name: "Which one?" }]],
    [and(row("name", "$is", "a"), row("name", "$is", "b")), [{}, { operator: expect.stringContaining("above") }]],
    [or(row("name", "$is", "a"), row("name", "$is_not", "b")), [{}, { operator: expect.stringContaining("one") }]],
  ])("%#", (form, faults) => {
    expect(faultsIn(form, project)).toEqual(faults);
    expect(filterOf(form, project)).toBeNull();
  });

  test("nothing at all is not sent either", () => expect(filterOf(and(), project)).toBeNull());
});

describe("a filter that no rows say as it is stays JSON", () => {
  test.each([
    { junction: "and", "address.city": { $is: ["Oslo"] } },
    { junction: "and", "address.line_1": { conditions: { $is: ["x"] } } },
    { junction: "and", name: { conditions: { $in_location: ["loc_1"] } } },
    { junction: "and", created_at: { conditions: { $after: ["2026-07-01T10:00:00Z"] } } },
    { junction: "and", "summary.orders.total_amount": { conditions: { $is: [1, 2] } } },
    { junction: "xor", name: { conditions: { $is: ["a"] } } },
    { junction: "and", name: null },
  ])("%j", (filter) => expect(formOf(filter, project)).toBeNull());

  test("and one that only writes the same otherwise is understood", () => {
    const filter = { junction: "OR", city: { conditions: { $is: "Oslo" } } };
    expect(formOf(filter, project)).toBeNull();
    const plain = { junction: "OR", "address.city": { conditions: { $is: "Oslo" } } };
    expect(formOf(plain, project)).toEqual(or(row("address.city", "$is", "Oslo")));
    expect(formOf({ junction: "and" }, project)).toEqual(and());
  });
});

test.each([[["a"]], [["a, b", "c"]], [['say "hi"', "x"]], [["two\nlines", " edges "]], [["ö", "שלום"]]])(
  "values come back as they were typed: %j",
  (values) => expect(valuesIn(typedOf(values))).toEqual(values),
);

test("a pasted column is its lines", () => expect(valuesIn("a\nb\r\n\nc,")).toEqual(["a", "b", "c"]));
