import { expect, test } from "vitest";
import { compileSegment } from "../../engine/src/index.js";
import { field_groups, operandsOf, operatorsOf } from "../src/pages/segments/filter-fields.js";

const sent = { values: ["Oslo"], number: [5], money: [500], days: [5], day: ["2026-05-05T00:00:00Z"], none: [true] };
const offered = field_groups.flatMap(([, fields]) =>
  fields.flatMap(({ name, kind }) =>
    operatorsOf(kind).map((operator) => ({ field: name.replace("*", "x y"), operator, kind })),
  ),
);

test.each(offered)("a segment may ask of $field whether it $operator", ({ field, operator, kind }) => {
  const filter = { junction: "and", [field]: { conditions: { [operator]: sent[operandsOf(kind, operator)] } } };
  expect(compileSegment({ id: "seg_1", type: "passive", filter })).toHaveProperty("segment");
});
