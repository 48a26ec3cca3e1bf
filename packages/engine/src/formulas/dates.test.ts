import { describe, expect, test } from "vitest";
import type { FormulaOperands } from "../discounts/formula.contract.js";
import { aCustomer, anOrder, operandsOf } from "./formulas.fixtures.js";
import { parseFormula } from "./index.js";

// Half an hour past midnight in Warsaw, still the day before in UTC.
const nightOfJune10 = Date.parse("2025-06-09T22:30:00Z");

function evaluated(text: string, operands: Partial<FormulaOperands> = {}): string | null {
  const parsed = parseFormula(text);
  if ("fault" in parsed) return parsed.fault.problem;
  return parsed.formula.evaluate(operandsOf({ instant: nightOfJune10, ...operands }))?.toString() ?? null;
}

const at = (iso: string) => Date.parse(iso);

describe("dates are counted in the project's zone, in completed periods", () => {
  test.each`
    formula                                              | value
    ${"DAY_OF_MONTH(TODAY)"}                             | ${"10"}
    ${"DAY_OF_MONTH(NOW)"}                               | ${"10"}
    ${"MONTH(TODAY)"}                                    | ${"6"}
    ${"YEAR(TODAY)"}                                     | ${"2025"}
    ${'DAYS_SINCE(DATE("2025-06-01"))'}                  | ${"9"}
    ${'DAYS_SINCE(DATE("2025-06-12"))'}                  | ${"-2"}
    ${'DAYS_UNTIL(DATE("2025-06-12"))'}                  | ${"2"}
    ${'MONTHS_SINCE(DATE("2025-05-11"))'}                | ${"0"}
    ${'MONTHS_SINCE(DATE("2025-05-10"))'}                | ${"1"}
    ${'YEARS_SINCE(DATE("2000-06-10"))'}                 | ${"25"}
    ${'YEARS_SINCE(DATE("2000-06-11"))'}                 | ${"24"}
    ${'MONTHS_UNTIL(DATE("2025-07-09"))'}                | ${"0"}
    ${'MONTHS_UNTIL(DATE("2025-07-10"))'}                | ${"1"}
    ${'DAY_OF_MONTH(DATE_TIME("2025-06-30T22:00:00Z"))'} | ${"1"}
    ${'DAY_OF_MONTH(DATE_TIME("2025-06-30T22:00"))'}     | ${"30"}
    ${'YEAR(DATE("2025-02-30"))'}                        | ${null}
    ${'YEAR("no date")'}                                 | ${null}
    ${"YEAR(2025)"}                                      | ${null}
    ${"TODAY"}                                           | ${null}
    ${"TODAY + 1"}                                       | ${null}
  `("$formula = $value", ({ formula, value }) => expect(evaluated(formula)).toBe(value));
});

describe("leap days and months of different length", () => {
  test.each`
    formula                               | today           | value
    ${'YEARS_SINCE(DATE("2004-02-29"))'}  | ${"2025-02-28"} | ${"20"}
    ${'YEARS_SINCE(DATE("2004-02-29"))'}  | ${"2025-03-01"} | ${"21"}
    ${'YEARS_SINCE(DATE("2004-02-29"))'}  | ${"2028-02-29"} | ${"24"}
    ${'MONTHS_SINCE(DATE("2025-01-31"))'} | ${"2025-02-28"} | ${"0"}
    ${'MONTHS_SINCE(DATE("2025-01-31"))'} | ${"2025-03-31"} | ${"2"}
    ${'DAYS_SINCE(DATE("2024-02-28"))'}   | ${"2024-03-01"} | ${"2"}
    ${'DAYS_UNTIL(DATE("2025-03-31"))'}   | ${"2025-03-29"} | ${"2"}
    ${'DAYS_SINCE(DATE("2025-10-25"))'}   | ${"2025-10-27"} | ${"2"}
    ${'DAYS_SINCE(DATE("2024-02-30"))'}   | ${"2024-03-01"} | ${null}
  `("$formula on $today = $value", ({ formula, today, value }) => {
    expect(evaluated(formula, { instant: at(`${today}T12:00:00Z`) })).toBe(value);
  });

  // Samoa skipped 30 December 2011.
  test("a day that never was is no day between", () => {
    const apia = { instant: at("2011-12-31T12:00:00Z"), time_zone: "Pacific/Apia" };
    expect(evaluated("DAY_OF_MONTH(TODAY)", apia)).toBe("1");
    expect(evaluated('DAYS_SINCE(DATE("2011-12-29"))', apia)).toBe("3");
    expect(evaluated("DAY_OF_MONTH(NOW)", { ...apia, time_zone: "Asia/Kathmandu" })).toBe("31");
  });
});

describe("comparing dates", () => {
  const voucher = {
    redemption_quantity: 1,
    redeemed_quantity: 0,
    publish_count: 0,
    start_date: at("2025-06-01T10:00:00Z"),
    expiration_date: at("2025-06-10T21:59:00Z"),
  };
  const promotion_tier = { start_date: at("2025-07-01T00:00:00Z"), expiration_date: null };
  const order = anOrder(100, [], { delivery: "2025-06-10", sent_at: "2025-06-10T09:00:00+02:00" });
  const customer = aCustomer({}, "1990-06-10");
  test.each`
    condition                                        | holds
    ${'TODAY DATE_IS DATE("2025-06-10")'}            | ${"1"}
    ${'TODAY DATE_IS_NOT DATE("2025-06-10")'}        | ${"0"}
    ${"VOUCHER_EXPIRATION_DATE DATE_IS TODAY"}       | ${"1"}
    ${"VOUCHER_START_DATE IS_BEFORE TODAY"}          | ${"1"}
    ${"VOUCHER_EXPIRATION_DATE IS_AFTER NOW"}        | ${"1"}
    ${"NOW IS_AFTER TODAY"}                          | ${"1"}
    ${"PROMOTION_TIER_START_DATE IS_AFTER NOW"}      | ${"1"}
    ${"PROMOTION_TIER_EXPIRATION_DATE IS_AFTER NOW"} | ${null}
    ${'ORDER_METADATA("delivery") DATE_IS TODAY'}    | ${"1"}
    ${'ORDER_METADATA("sent_at") IS_AFTER NOW'}      | ${"1"}
    ${"TODAY IS_BEFORE TODAY"}                       | ${"0"}
    ${"TODAY IS_AFTER TODAY"}                        | ${"0"}
    ${'ORDER_METADATA("absent") IS_AFTER NOW'}       | ${null}
    ${'"soon" IS_AFTER NOW'}                         | ${null}
    ${"MONTH(CUSTOMER_BIRTHDATE) = MONTH(TODAY)"}    | ${"1"}
    ${'DATE("2025-06-10") is TODAY'}                 | ${"1"}
  `("$condition: $holds", ({ condition, holds }) => {
    expect(evaluated(`IF(${condition};1;0)`, { voucher, promotion_tier, order, customer })).toBe(holds);
  });
});
