import { Type } from "typebox";
import { expect, test } from "vitest";
import { named as shapeNamed } from "../schema.js";
import { createShapes } from "./create-shapes.js";
import { createValidators } from "./validation.js";

/** A shape within a shape, twenty deep. */
const deep = Array.from({ length: 20 }).reduce<ReturnType<typeof Type.Object>>(
  (inner, _, i) => shapeNamed(`Level${i}`, Type.Object({ inner: Type.Optional(inner), text: Type.String() })),
  Type.Object({}),
);

/** The check of the shape, and how many shapes were compiled in each turn of the event loop. */
function checkOf(schema: typeof deep) {
  const { named, bodies, queries } = createShapes();
  const compiled: number[] = [0];
  const turn = () => setImmediate(() => compiled.push(0) < 1_000 && turn());
  turn();
  const validators = createValidators({
    named,
    queries,
    bodies(shape) {
      compiled[compiled.length - 1] = (compiled.at(-1) ?? 0) + 1;
      return bodies(shape);
    },
  });
  type Factory = () => (route: object) => (value: unknown) => boolean | Promise<true>;
  const factory = validators.factory as unknown as Factory;
  const check = factory()({ schema: named.referring(schema), httpPart: "body", method: "POST", url: "/" });
  return { check, compiled, compileAll: validators.compileAll };
}

test("a shape is compiled with its first value, one of the shapes within it in a turn of everybody else", async () => {
  const { check, compiled } = checkOf(deep);
  expect(await check({ text: "one", inner: { text: "two" } })).toBe(true);
  expect(compiled.reduce((sum, count) => sum + count)).toBeGreaterThan(20);
  // What it all comes to is compiled behind the last of its parts.
  expect(Math.max(...compiled)).toBeLessThanOrEqual(2);
  expect(check({ text: "one" })).toBe(true);
});

test("what its first value violates is told as it is later", async () => {
  const { check } = checkOf(deep);
  const details = "Property .inner.text must be string";
  await expect(check({ text: "one", inner: { text: 2 } })).rejects.toMatchObject({ body: { details } });
});

test("values that come together wait for the same, and what is compiled ahead need not be", async () => {
  const { check, compiled, compileAll } = checkOf(deep);
  expect(await Promise.all([check({ text: "a" }), check({ text: "b" }), compileAll()])).toEqual([
    true,
    true,
    undefined,
  ]);
  const once = compiled.reduce((sum, count) => sum + count);
  await compileAll();
  expect(compiled.reduce((sum, count) => sum + count)).toBe(once);
});
