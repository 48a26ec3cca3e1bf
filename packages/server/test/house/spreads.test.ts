import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { quickSpreads } from "../../../../scripts/server/spreads.mjs";

/** What the bundler makes of a module of ours. */
async function bundled(source: string): Promise<string> {
  const id = "/any/packages/server/src/made.ts";
  const given = { name: "given", resolveId: () => id, load: () => source };
  const build = await rolldown({ input: id, plugins: [given, quickSpreads] });
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  return output[0].code;
}

const evaluated = async (source: string) =>
  import(`data:text/javascript,${encodeURIComponent(await bundled(source))}`) as Promise<{ made: unknown }>;

test("a literal that begins with a spread and goes on is shipped with its prototype in front, wherever it stands", async () => {
  const code = await bundled(`
    export const made = (row: { a: number }, z = { ...row }) => ({ ...row, "ä": "…", inner: { ...z, b: [{ ...row, c: 1 }] } });
    export const left = (row: object) => [{ b: 1, ...row }, { ...row }, {}];`);
  expect(code.match(/\{\s*__proto__: Object\.prototype,\s*\.\.\.(row|z),/g)).toHaveLength(3);
  expect(code.match(/__proto__/g)).toHaveLength(3);
});

test("it means what it says: the same keys in the same order, the last value, and a key of that name as any other", async () => {
  const sent = `JSON.parse('{"b":1,"__proto__":{"is_admin":true},"a":2}')`;
  const { made } = await evaluated(
    `const row = ${sent}; export const made: object = { ...row, a: 3, c: { ...row.b, d: 4 } };`,
  );
  expect(JSON.stringify(made)).toBe('{"b":1,"__proto__":{"is_admin":true},"a":3,"c":{"d":4}}');
  expect(Object.getPrototypeOf(made).constructor.name).toBe("Object");
  expect((made as { is_admin?: true }).is_admin).toBeUndefined();
});
