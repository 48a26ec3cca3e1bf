import { describe, expect, test } from "vitest";
import { decimalString, digitsOf, minorOf, money } from "./money.js";

describe("an amount", () => {
  test.each`
    minor                | currency | shown
    ${8250}              | ${"EUR"} | ${"€82.50"}
    ${5}                 | ${"EUR"} | ${"€0.05"}
    ${-5}                | ${"EUR"} | ${"-€0.05"}
    ${1000}              | ${"JPY"} | ${"¥1,000"}
    ${1234}              | ${"KWD"} | ${"KWD 1.234"}
    ${90071992547409.91} | ${"EUR"} | ${"€900,719,925,474.09"}
    ${9007199254740991}  | ${"EUR"} | ${"€90,071,992,547,409.91"}
  `("of $minor is shown to the last digit as $shown", ({ minor, currency, shown }) => {
    expect(money(minor, currency, "en-GB").replace("\u00a0", " ")).toBe(shown);
  });

  test.each`
    typed        | digits | minor
    ${"10"}      | ${2}   | ${1000}
    ${"10.5"}    | ${2}   | ${1050}
    ${" 10,50 "} | ${2}   | ${1050}
    ${"10.505"}  | ${2}   | ${null}
    ${"10"}      | ${0}   | ${10}
    ${"10.5"}    | ${0}   | ${null}
    ${"-10"}     | ${2}   | ${null}
    ${"ten"}     | ${2}   | ${null}
  `("typed as '$typed' is $minor with $digits digits", ({ typed, digits, minor }) => {
    expect(minorOf(typed, digits)).toBe(minor);
  });

  test("that was shown is read back as it was", () => {
    for (const minor of [0, 1, 99, 100, 12_345, 9_007_199_254_740_991])
      for (const digits of [0, 2, 3]) expect(minorOf(decimalString(minor, digits), digits) ?? minor).toBe(minor);
    expect(digitsOf("EUR")).toBe(2);
  });
});
