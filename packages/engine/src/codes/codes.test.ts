import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CodeConfig,
  type CodeConfigInput,
  capacityOf,
  checkCapacity,
  codeAt,
  codeFault,
  normaliseCodeConfig,
} from "./code-config.js";
import { codeMaker } from "./random-code.js";

const ALPHANUMERIC = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const normalised = (input: CodeConfigInput) => normaliseCodeConfig(input, ALPHANUMERIC);
const configOf = (input: CodeConfigInput) => {
  const result = normalised(input);
  if ("fault" in result) throw new Error(result.fault.problem);
  return result.config;
};

/** The bytes of a list, over and over. */
const bytesOf = (...bytes: number[]) => {
  let at = 0;
  return () => bytes[at++ % bytes.length] as number;
};

describe("what a configuration is stored as", () => {
  test.each`
    sent                                | stored
    ${{}}                               | ${{ length: 8, charset: ALPHANUMERIC, pattern: "########" }}
    ${{ length: 5 }}                    | ${{ length: 5, charset: ALPHANUMERIC, pattern: "#####" }}
    ${{ pattern: "A-##-#", length: 9 }} | ${{ length: 3, charset: ALPHANUMERIC, pattern: "A-##-#" }}
    ${{ charset: "ABBA", length: 1 }}   | ${{ length: 1, charset: "AB", pattern: "#" }}
    ${{ prefix: "Q-", pattern: "X" }}   | ${{ length: 0, charset: ALPHANUMERIC, prefix: "Q-", pattern: "X" }}
    ${{ length: 0, pattern: "X" }}      | ${{ length: 0, charset: ALPHANUMERIC, pattern: "X" }}
  `("$sent", ({ sent, stored }) => {
    expect(normalised(sent)).toEqual({ config: stored });
  });

  test.each`
    sent                                 | path
    ${{ charset: "" }}                   | ${"charset"}
    ${{ length: 0 }}                     | ${"length"}
    ${{ length: 1.5 }}                   | ${"length"}
    ${{ length: 1e9 }}                   | ${"length"}
    ${{ pattern: "#".repeat(256) }}      | ${"pattern"}
    ${{ pattern: "//" }}                 | ${"pattern"}
    ${{ pattern: "" }}                   | ${"pattern"}
    ${{ pattern: "/##", charset: "A/" }} | ${"pattern"}
    ${{ pattern: "a\u0000#" }}           | ${"pattern"}
    ${{ prefix: "\u0007" }}              | ${"prefix"}
    ${{ postfix: "\u0085" }}             | ${"postfix"}
    ${{ charset: "AB\u007f" }}           | ${"charset"}
  `("$path is refused", ({ sent, path }) => {
    expect(normalised(sent)).toMatchObject({ fault: { path } });
  });
});

test("a slash may be drawn where something else keeps the code from being slashes alone", () => {
  expect(configOf({ pattern: "A-##", charset: "AB/" })).toMatchObject({ length: 2, charset: "AB/" });
});

describe("how many codes there are", () => {
  test.each`
    sent                                                                     | case_sensitive | capacity
    ${{ prefix: "Q-", pattern: "CARD-####", postfix: "-Z", charset: "ABC" }} | ${true}        | ${81n}
    ${{ pattern: "S-##", charset: "AB" }}                                    | ${true}        | ${4n}
    ${{ pattern: "S-##", charset: "aA" }}                                    | ${false}       | ${1n}
    ${{ length: 1 }}                                                         | ${true}        | ${62n}
    ${{ length: 1 }}                                                         | ${false}       | ${36n}
    ${{ pattern: "ONE" }}                                                    | ${true}        | ${1n}
  `("$sent: $capacity", ({ sent, case_sensitive, capacity }) => {
    expect(capacityOf(configOf(sent), case_sensitive)).toBe(capacity);
  });

  test("a request above the capacity is told how large it is", () => {
    const config = configOf({ pattern: "S-##", charset: "AB" });
    expect(checkCapacity(config, 4, true)).toBeNull();
    expect(checkCapacity(config, 5, true)?.problem).toContain("only 4");
  });

  test("the places of a space are its codes, each once", () => {
    const config = configOf({ pattern: "#-##", charset: "ABC" });
    const codes = Array.from({ length: 27 }, (_, place) => codeAt(config, BigInt(place), true));
    expect(new Set(codes).size).toBe(27);
    for (const code of codes) expect(code).toMatch(/^[ABC]-[ABC]{2}$/);
  });
});

describe("random codes", () => {
  test("prefix, literals and postfix stay; each # is one character", () => {
    const config = configOf({ prefix: "Q-", pattern: "CARD-####", postfix: "-Z", charset: "ABC" });
    expect(codeMaker(config)(bytesOf(1, 0, 2, 0))).toBe("Q-CARD-BACA-Z");
  });

  test("a byte that would favour the first characters is thrown away", () => {
    const config = configOf({ length: 2, charset: "ABC" });
    expect(codeMaker(config)(bytesOf(255, 254))).toBe("CC");
  });

  test("over all bytes every character is equally likely", () => {
    const make = codeMaker(configOf({ length: 1, charset: "ABCDE" }));
    const next = bytesOf(...Array.from({ length: 256 }, (_, i) => i));
    const counts = new Map<string, number>();
    for (let i = 0; i < 255; i += 1) {
      const code = make(next);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual([51, 51, 51, 51, 51]);
  });

  test("charsets of more than 256 characters and beyond the basic plane work", () => {
    const charset = Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x1f300 + i)).join("");
    const code = codeMaker(configOf({ length: 2, charset }))(bytesOf(1, 43, 0, 0));
    expect([...code]).toHaveLength(2);
  });

  test("a code is always one of its space", () => {
    const inputs = fc.record({ charset: fc.constantFrom("AB", "XYZ"), pattern: fc.constantFrom("#", "A-##", "##/#") });
    fc.assert(
      fc.property(inputs, fc.array(fc.nat(255), { minLength: 40, maxLength: 60 }), (input, bytes) => {
        fc.pre(bytes.some((byte) => byte < 250));
        const config: CodeConfig = configOf(input);
        const space = Array.from({ length: Number(capacityOf(config, true)) }, (_, i) =>
          codeAt(config, BigInt(i), true),
        );
        expect(space).toContain(codeMaker(config)(bytesOf(...bytes)));
      }),
    );
  });
});

test.each`
  name                                     | code                | fault
  ${"with a blank and a mark"}             | ${"Spring 1!"}      | ${null}
  ${"with a slash"}                        | ${"a/b"}            | ${null}
  ${"of 255 letters"}                      | ${"x".repeat(255)}  | ${null}
  ${"of 255 characters of two units each"} | ${"🎁".repeat(255)} | ${null}
  ${"of nothing"}                          | ${""}               | ${"must not be empty"}
  ${"of slashes alone"}                    | ${"//"}             | ${"must not hold control characters, nor slashes alone"}
  ${"of two lines"}                        | ${"a\nb"}           | ${"must not hold control characters, nor slashes alone"}
  ${"of 256 letters"}                      | ${"x".repeat(256)}  | ${"must NOT have more than 255 characters"}
  ${"of 256 characters of two units each"} | ${"🎁".repeat(256)} | ${"must NOT have more than 255 characters"}
`("of a code $name is said: $fault", ({ code, fault }) => {
  expect(codeFault(code)).toBe(fault);
});

test.each([
  ["prefix", { prefix: "🎁".repeat(247) }],
  ["pattern", { pattern: "🎁".repeat(255) }],
  ["charset", { charset: "🎁🎀", length: 255 }],
])("the %s of a code counts characters, of which there may be 255", (_, input) => {
  expect(normaliseCodeConfig(input, "AB")).toHaveProperty("config");
});
