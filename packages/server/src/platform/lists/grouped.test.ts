import fc from "fast-check";
import { expect, test } from "vitest";
import { grouped } from "./grouped.js";

test("each item is in the group of its key, in the order in which they came", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(7)), (keys) => {
      const items = keys.map((key, place) => ({ key, place }));
      const groups = grouped(items, ({ key }) => key);
      expect([...groups.keys()]).toEqual([...new Set(keys)]);
      for (const [key, group] of groups) expect(group).toEqual(items.filter((item) => item.key === key));
    }),
  );
});
