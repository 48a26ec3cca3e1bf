import { expect, test } from "vitest";
import { empty_form, type SegmentForm, segmentChanges, segmentFaults, segmentForm, segmentOf } from "./segment-form.js";
import type { Segment } from "./segments.queries.js";

const project = { currency: "EUR", digits: 2, fields: { timezone: "UTC" } } as Parameters<typeof segmentOf>[2];
const city = { junction: "and", "address.city": { conditions: { $is: "Oslo" } } };
const passive = { id: "seg_1", name: "Near", type: "passive", filter: city } as unknown as Segment;
const json = { junction: "and", "address.line_1": { conditions: { $is: ["x"] } } };

test("of a segment that nobody changed nothing is sent, however its filter was written", () => {
  for (const filter of [city, json]) {
    const segment = { ...passive, filter } as Segment;
    expect(segmentChanges(segment, segmentForm(segment, project), project)).toEqual({});
  }
});

test("what was changed is sent alone: the name, or the filter", () => {
  const form = segmentForm(passive, project);
  expect(segmentChanges(passive, { ...form, name: " Far " }, project)).toEqual({ name: "Far" });
  expect(segmentChanges(passive, { ...form, json: JSON.stringify(json) }, project)).toEqual({ filter: json });
  const kept = { ...passive, type: "auto-update" } as Segment;
  expect(segmentChanges(kept, { ...form, type: "auto-update", name: "Far" }, project)).toEqual({ name: "Far" });
});

test.each<[Partial<SegmentForm>, string[]]>([
  [{ name: "x" }, ["rows"]],
  [{ name: " ", json: "{}" }, ["name"]],
  [{ name: "x", json: "[" }, ["filter"]],
  [{ name: "x", filter: { junction: "and", rows: [] } }, ["filter"]],
  [{ name: "x", type: "static" }, ["customers"]],
  [{ name: "x", type: "static", customers: "a, a\nb" }, []],
  [{ name: "x", type: "static", customers: Array.from({ length: 201 }, (_, i) => i).join() }, ["customers"]],
])("a new segment of %j is wrong in %j", (change, fields) => {
  expect(Object.keys(segmentFaults({ ...empty_form, ...change }, true, project))).toEqual(fields);
});

test("a fixed list is sent with its customers and without a filter", () => {
  const form: SegmentForm = { ...empty_form, name: " Panel ", type: "static", customers: "a" };
  expect(segmentOf(form, ["cust_1"], project)).toEqual({ name: "Panel", type: "static", customers: ["cust_1"] });
});
