import { describe, expect, test } from "vitest";
import { logicOf, type Rules, writeLogic } from "../../parts/rules/logic.js";
import { operandsOf, operatorsOf, rule_field_groups } from "../../parts/rules/rule-fields.js";
import { sentenceOf } from "../../parts/rules/sentence.js";
import { faultsIn, isGroup, newRow, type RuleRow, rowsOf, rulesOf, treeOf, withMember } from "./rule-tree.js";

const project = { currency: "EUR", digits: 2, fields: { timezone: "Europe/Warsaw" } } as Parameters<typeof rulesOf>[1];
const row = (key: number, changed: Partial<RuleRow> = {}): RuleRow => ({ ...newRow(key), value: "100.00", ...changed });
const and = (...members: RuleRow[]) => ({ key: 0, junction: "and" as const, members });
const writes = { money: (minor: number) => `€${minor / 100}`, count: String };
const said = (rules: Rules) => sentenceOf(rules, writes, () => undefined);

const amount = { name: "order.amount", conditions: { $more_than_or_equal: [10_000] } };
const once = { name: "redemption.count.per_customer", conditions: { $less_than_or_equal: [1] } };
const segment = { name: "customer.segment", conditions: { $in: ["seg_1", "seg_2"] } };
const gold = { name: "customer.metadata", property: "plan", conditions: { $is: ["gold"] } };
const mugs = {
  name: "order.items.any",
  conditions: { $is: [{ source_id: "mug", object: "product" }] },
  rules: { "1": { name: "order.items.aggregated_quantity", conditions: { $more_than_or_equal: [2] } }, logic: "1" },
};

describe("every comparison that the form offers", () => {
  const typed = { values: "Oslo, 5", choice: "seg_1", number: "5", money: "5.00", none: "", days: "", day: "" };
  const names = { metadata: "x.y", period: "daily", object: "sku" };
  const offered = rule_field_groups.flatMap(([, fields]) =>
    fields.flatMap(({ name: field, kind, named }) =>
      operatorsOf(kind).map((operator) => {
        const name = named ? names[named] : "";
        return row(1, { field, operator, name, value: typed[operandsOf(kind, operator, name)] });
      }),
    ),
  );

  test.each(offered)("$field $operator comes back as it went in", (one) => {
    const rules = rulesOf(and(one), project) as Rules;
    const { key: _key, ...asked } = one;
    expect(treeOf(rules, project)?.members).toMatchObject([asked]);
  });
});

describe("a rule that rows say", () => {
  test.each([
    ["one condition", { "1": amount, logic: "1" }],
    ["conditions without a formula", { "1": amount, "2": once, logic: "" }],
    ["a group", { "1": amount, "2": segment, "3": gold, logic: "1 and (2 or 3)" }],
    ["AND before OR", { "1": amount, "2": segment, "3": gold, logic: "1 or 2 and 3" }],
    ["groups in groups", { "1": amount, "2": segment, "3": gold, "4": once, logic: "1 or (2 and (3 or 4))" }],
    ["other numbers", { "1": amount, "2": once, logic: "2 AND 1" }],
    ["no spacing", { "1": amount, "2": once, logic: "1 and2" }],
    ["items and how many of them", { "1": mugs, logic: "1" }],
    ["a message of its own", { "1": { ...amount, error: { message: "From 100" } }, logic: "1" }],
    ["what the service adds", { "1": { ...amount, property: null, rules: {} }, logic: "1" }],
    ["no condition", { logic: "" }],
  ])("is shown as rows and says the same when it is saved: %s", (_what, rules: Rules) => {
    const tree = treeOf(rules, project);
    expect(tree).not.toBeNull();
    expect(tree && said(rulesOf(tree, project) as Rules)).toBe(said(rules));
  });

  test.each([
    ["a formula that is none", { "1": amount, logic: "1 and" }],
    ["a condition that no formula names", { "1": amount, "2": once, logic: "1" }],
    ["one that is named twice", { "1": amount, "2": once, logic: "1 or (1 and 2)" }],
    ["two comparisons at once", { "1": { ...amount, conditions: { $more_than: [1], $less_than: [9] } }, logic: "1" }],
    ["a name that the form does not know", { "1": { name: "sku.id", conditions: { $is: ["sku_1"] } }, logic: "1" }],
    [
      "other questions about items",
      {
        "1": { ...mugs, rules: { "1": { name: "order.items.price", conditions: { $is: [5] } }, logic: "1" } },
        logic: "1",
      },
    ],
    [
      "another comparison of how many",
      {
        "1": {
          ...mugs,
          rules: { "1": { name: "order.items.aggregated_quantity", conditions: { $is: [5] } }, logic: "1" },
        },
        logic: "1",
      },
    ],
    [
      "things of two kinds",
      {
        "1": {
          ...mugs,
          conditions: {
            $in: [
              { id: "p", object: "product" },
              { id: "s", object: "sku" },
            ],
          },
        },
        logic: "1",
      },
    ],
    ["how many of what only every item shows", { "1": { ...amount, rules: { "1": once, logic: "1" } }, logic: "1" }],
  ])("and one that they do not say stays JSON: %s", (_what, rules: Rules) => {
    expect(treeOf(rules, project)).toBeNull();
  });

  test("keeps what was written of a thing beside its name", () => {
    const item = { id: "prod_1", source_id: "mug", object: "product", effect: "APPLY_TO_EVERY", strict: true };
    const rules = { "1": { ...mugs, conditions: { $is: [item] } }, logic: "1" };
    const tree = treeOf(rules, project);
    expect(tree && rulesOf(tree, project)).toEqual(rules);
  });
});

test("what is wrong is said at its field", () => {
  const items = { field: "order.items.any", operator: "$is", name: "product" } as const;
  expect(
    faultsIn(
      and(
        row(1, { value: "9.999" }),
        row(2, { field: "order.metadata", operator: "$is", value: " , " }),
        row(3, { field: "customer.segment", operator: "$is", value: "" }),
        row(4, { ...items, value: "mug", units: "many", worth: "1.234" }),
      ),
      project,
    ),
  ).toEqual([
    { value: "An amount in EUR" },
    { name: "Which one?", value: "Say what it is compared with" },
    { value: "Choose at least one" },
    { units: "A number", worth: "An amount in EUR" },
  ]);
});

test("a group goes with its last condition", () => {
  const tree = treeOf({ "1": amount, "2": segment, "3": gold, logic: "1 and (2 or 3)" }, project);
  const group = tree?.members.find(isGroup);
  if (!tree || !group) throw new Error("there is a group");
  const [first, second] = rowsOf(group).map(({ key }) => key);
  const without = withMember(
    withMember(tree, first ?? 0, () => null),
    second ?? 0,
    () => null,
  );
  expect(without.members).toHaveLength(1);
  expect(rulesOf(without, project)?.logic).toBe("1");
});

describe("the sentence of a rule", () => {
  test.each([
    [{ logic: "" }, "Always applies: it has no condition."],
    [
      { "1": amount, "2": once, "3": segment, "4": gold, logic: "1 and 2 and (3 or 4)" },
      "Applies when the total before discounts is at least €100, and the customer has not redeemed it before, and either the customer’s segment is seg_1 or seg_2 or the customer’s “plan” is gold.",
    ],
    [
      { "1": amount, "2": once, "3": gold, logic: "1 or 2 and 3" },
      "Applies when the total before discounts is at least €100, or the customer has not redeemed it before and the customer’s “plan” is gold.",
    ],
    [{ "1": mugs, logic: "1" }, "Applies when at least one item is mug (their quantity is at least 2)."],
    [
      { "1": { name: "redemption.count.daily", conditions: { $less_than: [500] } }, logic: "1" },
      "Applies when it is redeemed fewer than 500 times a day.",
    ],
    [{ "1": amount, logic: "1 and" }, "Written as JSON"],
  ])("%j", (rules: Rules, sentence) => expect(said(rules)).toBe(sentence));

  const dice = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const names = [
    "order.amount",
    "order.items.any",
    "customer.metadata",
    "redemption.count.per_customer.daily",
    "not.ours",
  ];

  /** A rule of some conditions, each with a value that no other has, some with others in them. */
  function aRule(random: () => number, depth = 0): { rules: Rules; values: string[] } {
    const values: string[] = [];
    const count = 1 + Math.floor(random() * 4);
    const leaves = Array.from({ length: count }, (_, i) => {
      const value = `value-${depth}-${i}-${Math.floor(random() * 1e9)}`;
      values.push(value);
      const nested = depth < 2 && random() < 0.3 ? aRule(random, depth + 1) : null;
      values.push(...(nested?.values ?? []));
      const name = names[Math.floor(random() * names.length)];
      return { name, property: "key", conditions: { $is: [value] }, ...(nested && { rules: nested.rules }) };
    });
    const logic = leaves.map((_, i) => `${i + 1}`).reduce((a, b) => `(${a} ${random() < 0.5 ? "and" : "or"} ${b})`);
    return { rules: { ...Object.fromEntries(leaves.map((leaf, i) => [`${i + 1}`, leaf])), logic }, values };
  }

  test.each(Array.from({ length: 200 }, (_, seed) => seed))("leaves out no condition: %i", (seed) => {
    const { rules, values } = aRule(dice(seed));
    const sentence = said(rules);
    expect(values.filter((value) => !sentence.includes(value))).toEqual([]);
  });
});

test.each([
  ["1", "1"],
  ["1 AND(2 or  3)", "1 and (2 or 3)"],
  ["1 or 2 and 3", "1 or (2 and 3)"],
  ["((1))", "1"],
])("the formula %s is read as %s", (written, read) => {
  const rules = { "1": amount, "2": once, "3": gold, logic: written };
  const names = [amount, once, gold] as object[];
  const logic = logicOf(rules);
  expect(logic && writeLogic(logic, (leaf) => String(names.indexOf(leaf) + 1))).toBe(read);
});

test.each(["1 and", "(1", "1 2", "and", "4", "not 1", "1 & 2", "1)"])("the formula %s is none", (logic) =>
  expect(logicOf({ "1": amount, "2": once, logic })).toBeNull(),
);
