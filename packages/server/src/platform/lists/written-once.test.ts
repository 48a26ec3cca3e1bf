import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { jsonText, rows_at_once, writtenOnce } from "./written-once.js";

/** Says of itself how often it was written. */
function counted(text = "line") {
  const line = {
    written: 0,
    toJSON() {
      line.written += 1;
      return `${text} ${line.written}`;
    },
  };
  return line;
}

const value = fc.jsonValue({ maxDepth: 3 });
const list = fc.array(value, { maxLength: rows_at_once + 2 });
const nested = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    value,
    fc.constant(undefined),
    list.map(writtenOnce),
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie("node"), { maxKeys: 4 }),
  ),
})).node;

describe("what holds lists that are written once", () => {
  test.prop([nested, list])(
    "is the text that it would be otherwise, wherever and however often they stand",
    (around, items) => {
      const lines = writtenOnce([...items]);
      const said = (items: unknown) => ({ row: items, answer: [{ order: { items } }, { order: { items } }], around });
      const plain = JSON.stringify(said(items));
      expect(jsonText(said(lines))).toBe(plain);
      expect(jsonText(said(lines))).toBe(plain);
      expect(JSON.stringify(said(lines))).toBe(plain);
    },
  );

  test("has each made a text once, for all texts that hold it", () => {
    const [line, other] = [counted(), counted("other")];
    const lines = writtenOnce([line]);
    expect(jsonText({ lines, again: [lines, other] })).toBe('{"lines":["line 1"],"again":[["line 1"],"other 1"]}');
    expect(jsonText(lines)).toBe('["line 1"]');
    expect(line.written).toBe(1);
  });

  test("has a long one written each time, where it stands", () => {
    const line = counted();
    const lines = writtenOnce(Array.from({ length: rows_at_once + 1 }, () => line));
    jsonText({ lines, again: lines });
    expect(line.written).toBe(2 * lines.length);
  });

  test("is whole again after one that could not be written", () => {
    const failing = {
      toJSON: () => {
        throw new Error("not now");
      },
    };
    expect(() => jsonText([writtenOnce([1]), failing])).toThrow("not now");
    expect(() => jsonText(writtenOnce([failing]))).toThrow("not now");
    const lines = writtenOnce([2]);
    expect(JSON.stringify([lines])).toBe("[[2]]");
    expect(jsonText([lines])).toBe("[[2]]");
  });
});

test("it is a list as any other", () => {
  const lines = writtenOnce([1, 2]);
  expect(lines).toEqual([1, 2]);
  expect([Object.keys(lines), structuredClone(lines)]).toEqual([
    ["0", "1"],
    [1, 2],
  ]);
});

test("what has no text has none", () => {
  expect([jsonText(undefined), jsonText(null)]).toEqual([undefined, "null"]);
});
