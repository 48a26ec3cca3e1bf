import { expect, test } from "vitest";
import { quickSpreads } from "../../../../scripts/server/spreads.mjs";
import { bundled, evaluated } from "./bundled.fixtures.js";

test("a literal that begins with a spread and goes on is shipped with its prototype in front, wherever it stands", async () => {
  const source = `
    export const made = (row: { a: number }, z = { ...row }) => ({ ...row, "ä": "…", inner: { ...z, b: [{ ...row, c: 1 }] } });
    export const left = (row: object) => [{ b: 1, ...row }, { ...row }, {}];`;
  const code = await bundled(source, quickSpreads);
  expect(code.match(/\{\s*__proto__: Object\.prototype,\s*\.\.\.(row|z),/g)).toHaveLength(3);
  expect(code.match(/__proto__/g)).toHaveLength(3);
});

test("it means what it says: the same keys in the same order, the last value, and a key of that name as any other", async () => {
  const sent = `JSON.parse('{"b":1,"__proto__":{"is_admin":true},"a":2}')`;
  const source = `const row = ${sent}; export const made: object = { ...row, a: 3, c: { ...row.b, d: 4 } };`;
  const made = await evaluated(source, quickSpreads);
  expect(JSON.stringify(made)).toBe('{"b":1,"__proto__":{"is_admin":true},"a":3,"c":{"d":4}}');
  expect(Object.getPrototypeOf(made).constructor.name).toBe("Object");
  expect((made as { is_admin?: true }).is_admin).toBeUndefined();
});
