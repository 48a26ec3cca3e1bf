import { expect, test } from "vitest";
import { answersForAll, foreignDate, noteDates } from "../src/platform/http/shapes/response-check.js";

// A day that no other file sends: what a caller wrote is remembered for the whole run.
test.each`
  text                                  | is_ours
  ${"1907-05-17T10:00:00.000Z"}         | ${true}
  ${"1907-05-17"}                       | ${true}
  ${"not before 1907-05-17T10:00:00"}   | ${true}
  ${"1907-05-17T10:00:00Z"}             | ${false}
  ${"1907-05-17T10:00:00.000+00:00"}    | ${false}
  ${"1907-05-17T10:00:00.000000+00:00"} | ${false}
  ${"1907-05-17 10:00:00+00"}           | ${false}
`("$text in an answer is told from a date that the service writes: $is_ours", ({ text, is_ours }) => {
  const found = is_ours ? undefined : `/redeemables/1/product/created_at ${text}`;
  expect(foreignDate({ redeemables: [null, { product: { created_at: text } }] })).toBe(found);
});

test("what a caller wrote may look as it likes", () => {
  const name = "1907-05-17T10:00:00+02:00";
  expect(foreignDate({ data: [{ name }] })).toBe(`/data/0/name ${name}`);
  noteDates({ customer: { metadata: [name] } });
  expect(foreignDate({ data: [{ name }] })).toBeUndefined();
});

test.each`
  path                                | for_all
  ${"/management/v1/projects"}        | ${true}
  ${"/management/v1/projects?colour"} | ${true}
  ${"/management/v1/projects/proj_1"} | ${false}
  ${"/v1/vouchers"}                   | ${false}
`("$path answers what callers of every project wrote: $for_all", ({ path, for_all }) => {
  expect(answersForAll(path)).toBe(for_all);
});
