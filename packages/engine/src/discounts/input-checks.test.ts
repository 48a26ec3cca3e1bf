import { expect, test } from "vitest";
import { parseFormula } from "../formulas/index.js";
import { checkDiscount } from "./check.js";

const unit = { type: "UNIT", unit_off: 1, unit_type: "prod_1" };
const many = (...units: unknown[]) => ({ type: "UNIT", effect: "ADD_MANY_ITEMS", units });

test.each`
  discount                                                                              | fault
  ${{ type: "AMOUNT", amount_off: 0 }}                                                  | ${null}
  ${{ type: "AMOUNT", amount_off: 10.5 }}                                               | ${null}
  ${{ type: "AMOUNT" }}                                                                 | ${"payload amount_off"}
  ${{ type: "AMOUNT", amount_off: "10" }}                                               | ${"payload amount_off"}
  ${{ type: "AMOUNT", amount_off: -1 }}                                                 | ${"payload amount_off"}
  ${{ type: "AMOUNT", amount_off: 1, aggregated_amount_limit: -1 }}                     | ${"payload aggregated_amount_limit"}
  ${{ type: "AMOUNT", amount_off: 1, aggregated_amount_limit: null }}                   | ${null}
  ${{ type: "AMOUNT", amount_off: 1, effect: "ADD_NEW_ITEMS" }}                         | ${"payload effect"}
  ${{ type: "PERCENT", percent_off: 100 }}                                              | ${null}
  ${{ type: "PERCENT", percent_off: 101 }}                                              | ${"payload percent_off"}
  ${{ type: "PERCENT", percent_off_formula: "5" }}                                      | ${"payload percent_off"}
  ${{ type: "PERCENT", percent_off: 5, percent_off_formula: "5 +" }}                    | ${"semantic percent_off_formula"}
  ${{ type: "FIXED" }}                                                                  | ${"payload fixed_amount"}
  ${{ type: "FIXED", effect: "APPLY_TO_ITEMS" }}                                        | ${null}
  ${{ type: "FIXED", fixed_amount: 5, effect: "APPLY_TO_ITEMS_BY_QUANTITY" }}           | ${"payload effect"}
  ${unit}                                                                               | ${null}
  ${{ ...unit, unit_off: 1.5 }}                                                         | ${"payload unit_off"}
  ${{ ...unit, unit_type: null }}                                                       | ${"payload unit_type"}
  ${{ ...unit, effect: "ADD_SAME_ITEMS" }}                                              | ${"payload effect"}
  ${{ ...unit, units: [] }}                                                             | ${null}
  ${many()}                                                                             | ${"payload units"}
  ${{ type: "UNIT", effect: "ADD_MANY_ITEMS" }}                                         | ${"payload units"}
  ${many({ ...unit, effect: "ADD_NEW_ITEMS" })}                                         | ${null}
  ${many({ ...unit, effect: "ADD_MANY_ITEMS" })}                                        | ${"payload units[0].effect"}
  ${many(unit)}                                                                         | ${"payload units[0].effect"}
  ${many({ effect: "ADD_NEW_ITEMS", unit_off: 1 })}                                     | ${"payload units[0].unit_type"}
  ${many({ ...unit, effect: "ADD_NEW_ITEMS", unit_off_formula: "(" })}                  | ${"semantic units[0].unit_off_formula"}
  ${{ type: "PERCENT", percent_off: -0.1 }}                                             | ${"payload percent_off"}
  ${{ type: "PERCENT", percent_off: 99.999 }}                                           | ${null}
  ${{ type: "PERCENT", percent_off: 5, effect: "APPLY_TO_ITEMS_BY_QUANTITY" }}          | ${"payload effect"}
  ${{ type: "PERCENT", percent_off: 5, amount_limit: -1 }}                              | ${"payload amount_limit"}
  ${{ type: "PERCENT", percent_off: 5, amount_limit: 0, aggregated_amount_limit: 0.5 }} | ${null}
  ${{ type: "PERCENT", percent_off: 5, amount_limit: "5" }}                             | ${"payload amount_limit"}
  ${{ type: "AMOUNT", amount_off: Number.NaN }}                                         | ${"payload amount_off"}
  ${{ type: "AMOUNT", amount_off: 2 ** 53 }}                                            | ${"payload amount_off"}
  ${{ type: "AMOUNT", amount_off: 1, effect: null, amount_off_formula: null }}          | ${null}
  ${{ type: "AMOUNT", amount_off: 1, amount_off_formula: "ORDER_AMUONT" }}              | ${"semantic amount_off_formula"}
  ${{ type: "AMOUNT", amount_off: 1, amount_off_formula: "POW(2)" }}                    | ${"semantic amount_off_formula"}
  ${{ type: "AMOUNT", amount_off: 1, amount_off_formula: "" }}                          | ${"semantic amount_off_formula"}
  ${{ type: "FIXED", fixed_amount: -1, effect: "APPLY_TO_ITEMS" }}                      | ${"payload fixed_amount"}
  ${{ ...unit, unit_off: -1 }}                                                          | ${"payload unit_off"}
  ${{ ...unit, unit_off: undefined }}                                                   | ${"payload unit_off"}
  ${{ ...unit, unit_type: null, units: [{ ...unit, effect: "ADD_NEW_ITEMS" }] }}        | ${null}
  ${{ ...unit, effect: "REPLACE_ITEMS" }}                                               | ${null}
  ${{ type: "GIVEAWAY" }}                                                               | ${"payload type"}
  ${{ type: "constructor" }}                                                            | ${"payload type"}
  ${null}                                                                               | ${"payload "}
  ${[]}                                                                                 | ${"payload "}
`("$discount: $fault", ({ discount, fault }) => {
  const found = checkDiscount(discount, parseFormula);
  expect(found && `${found.kind} ${found.path}`).toBe(fault);
});
