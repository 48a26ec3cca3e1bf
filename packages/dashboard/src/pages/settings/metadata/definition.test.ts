import { describe, expect, test } from "vitest";
import { definitionOf, draftOf, faultsOf, limitWords, typesFor, typeWords } from "./definition.js";

const blank = draftOf("", undefined);
const plain = { type: "string", optional: true, array: false } as const;

describe("a definition that is edited", () => {
  test("keeps what the form does not show", () => {
    const before = { type: "number", optional: true, array: false, gt: 1, ne: [3], gte: 2, eq: [5] } as const;
    const draft = { ...draftOf("n", { ...before, ne: [3], eq: [5] }), required: true };
    expect(definitionOf(draft, { ...before, ne: [3], eq: [5] })).toEqual({
      ...before,
      optional: false,
      deleted: false,
      object_type: null,
    });
  });

  test("loses what was taken out of the form", () => {
    const before = { ...plain, min_length: 2, max_length: 9, eq: ["S"] };
    const draft = { ...draftOf("size", before), min: "", values: "" };
    expect(definitionOf(draft, before)).toEqual({ ...plain, max_length: 9, deleted: false, object_type: null });
  });

  test("says no bounds that its type does not know", () => {
    const draft = { ...blank, type: "date", min: "1", max: "2", values: "a", nested: "address" } as const;
    expect(definitionOf(draft)).toEqual({ ...plain, type: "date", deleted: false, object_type: null });
  });
});

test("allowed values stand one a line, as numbers where they are of numbers", () => {
  expect(definitionOf({ ...blank, values: " S \n\nM" }).eq).toEqual(["S", "M"]);
  expect(definitionOf({ ...blank, type: "number", values: "1\n2.5" }).eq).toEqual([1, 2.5]);
});

test.each([
  [{ name: " " }, "name"],
  [{ name: "size" }, "name"],
  [{ name: "n", type: "number", values: "1\nmany" }, "values"],
  [{ name: "n", type: "number", min: "few" }, "min"],
  [{ name: "n", max: "2.5" }, "max"],
] as const)("%j is wrong in its %s", (typed, field) => {
  const faults = Object.entries(faultsOf({ ...blank, ...typed }, ["size"])).filter(([, fault]) => fault !== undefined);
  expect(faults.map(([name]) => name)).toEqual([field]);
});

test("what it says is said in words", () => {
  expect(typeWords({ ...plain, type: "object", array: true, object_type: "address" })).toBe("List of objects: address");
  expect(limitWords({ ...plain, eq: ["S", "M"], min_length: 1, max_length: 9 })).toBe(
    "one of S, M · at least 1 character · at most 9 characters",
  );
});

test("places are of customers and products, and what is nested nests nothing", () => {
  expect(typesFor("customer")).toContain("geopoint");
  expect(typesFor("order")).not.toContain("geopoint");
  expect(typesFor("order")).toContain("object");
  expect(typesFor("address")).not.toContain("object");
});
