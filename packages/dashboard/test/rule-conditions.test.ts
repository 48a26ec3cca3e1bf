import { expect, test } from "vitest";
import { compileRule } from "../../engine/src/index.js";
import { newRow, rulesOf } from "../src/pages/rules/rule-tree.js";
import { operandsOf, operatorsOf, rule_field_groups } from "../src/parts/rules/rule-fields.js";

const project = { currency: "EUR", digits: 2, fields: { timezone: "Europe/Warsaw" } } as Parameters<typeof rulesOf>[1];
const typed = { values: "Oslo, 5", choice: "seg_1", number: "5", money: "5.00", none: "", days: "", day: "" };
const names = {
  metadata: ["x y"],
  period: ["total", "daily", "weekly", "monthly"],
  object: ["product", "sku", "products_collection"],
};
const offered = rule_field_groups.flatMap(([, fields]) =>
  fields.flatMap(({ name: field, kind, named }) =>
    (named ? names[named] : [""]).flatMap((name) =>
      operatorsOf(kind).map((operator) => ({ field, name, operator, kind })),
    ),
  ),
);

test.each(offered)("a rule may ask of $field $name whether it $operator", ({ kind, ...asked }) => {
  const value = typed[operandsOf(kind, asked.operator, asked.name)];
  const rules = rulesOf(
    { key: 0, junction: "and", members: [{ ...newRow(1), ...asked, value, units: "2", worth: "9.90" }] },
    project,
  );
  expect(compileRule({ id: "val_1", rules })).toHaveProperty("rule");
});
