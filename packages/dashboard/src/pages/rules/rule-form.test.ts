import { describe, expect, test } from "vitest";
import type { Rule } from "../../parts/rules/rules.queries.js";
import { ruleChanges, ruleForm } from "./rule-form.js";

const project = { currency: "EUR", digits: 2, fields: { timezone: "Europe/Warsaw" } } as Parameters<typeof ruleForm>[1];
const amount = { name: "order.amount", property: null, conditions: { $greater_than_or_equal: ["5000"] }, rules: {} };
const two = { ...amount, conditions: { $more_than: [1], $less_than: [9] } };
const of = (rules: object) => ({ name: "Rule", rules, error: { message: "From 50" } }) as unknown as Rule;
const [rows, json] = [of({ "1": amount, logic: "(1)" }), of({ "1": two, logic: "1" })];

describe("what is saved of a rule is what somebody has changed", () => {
  test.each([
    ["nothing", rows, {}, {}],
    ["nothing of one that is JSON", json, {}, {}],
    ["its name", rows, { name: " New " }, { name: "New" }],
    ["its name, of one that is JSON", json, { name: "New" }, { name: "New" }],
    ["its message", rows, { message: "From €50" }, { error: { message: "From €50" } }],
    ["that it has a message", rows, { message: " " }, { error: null }],
    ["its JSON", json, { json: '{"logic":""}' }, { rules: { logic: "" } }],
  ])("%s", (_what, before, changed, sent) => {
    expect(ruleChanges(before, { ...ruleForm(before, project), ...changed }, project)).toEqual(sent);
  });
});
