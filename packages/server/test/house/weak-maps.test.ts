import { describe, expect, test } from "vitest";
import { noWeakMapOfRequests, parse } from "../../../../scripts/check-style.mjs";

const problemsIn = (file: string, text: string) => noWeakMapOfRequests(parse(file, text));

describe("what is made of a request is kept on it", () => {
  const sample = "const lines = new WeakMap<Order, Line[]>();";

  test("a WeakMap is refused, in the service and in the engine", () => {
    for (const file of ["packages/server/src/features/orders/order-lines.ts", "packages/engine/src/rules/items.ts"])
      expect(problemsIn(file, `export {};\n${sample}`)).toMatchObject([{ path: file, line: 2 }]);
  });

  test("but where keys stay, in tests, and on pages", () => {
    for (const file of [
      "packages/server/src/platform/db/sql.ts",
      "packages/server/src/features/orders/order-lines.test.ts",
      "packages/dashboard/src/app.tsx",
    ])
      expect(problemsIn(file, sample)).toEqual([]);
  });

  test("a set has no values, and may be weak", () => {
    const text = "const seen = new WeakSet<Error>();";
    expect(problemsIn("packages/server/src/platform/db/queries.ts", text)).toEqual([]);
  });
});
