import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSeal } from "./secrets.js";

const seal = createSeal(Buffer.alloc(32, 7));

describe("a token", () => {
  test("of one text is the same in every version, since shops keep it", () => {
    expect(seal.token("tracking proj_a", "anna@example.com")).toBe("2XHzgCJafgKRVB5wl6qf9XQkcNe3MJInSYSh8i6GAEU");
  });

  test("is read back, whatever the text is and however long", () => {
    // Beyond 4,096 bytes the counter carries for certain.
    const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ minLength: 4_096, maxLength: 5_000 }));
    fc.assert(
      fc.property(texts, (text) => {
        expect(seal.readToken("a", seal.token("a", text))).toBe(text.toWellFormed());
      }),
    );
  });

  test.each([
    ["another purpose", seal.token("b", "text")],
    ["another installation", createSeal(Buffer.alloc(32, 8)).token("a", "text")],
    ["nobody", Buffer.from("text").toString("base64url")],
  ])("of %s is not read", (_, token) => {
    expect(seal.readToken("a", token)).toBeNull();
  });

  test("of which a byte was changed is not read", () => {
    const bytes = Buffer.from(seal.token("a", "text"), "base64url");
    for (let i = 0; i < bytes.length; i += 1) {
      const changed = Buffer.from(bytes);
      changed[i] = bytes.readUInt8(i) ^ 1;
      expect(seal.readToken("a", changed.toString("base64url"))).toBeNull();
    }
  });
});

test("what is sealed differs each time, and is opened as it was", () => {
  const [one, other] = [seal.seal("text"), seal.seal("text")];
  expect(one.equals(other)).toBe(false);
  expect([seal.open(one), seal.open(other)]).toEqual(["text", "text"]);
});
