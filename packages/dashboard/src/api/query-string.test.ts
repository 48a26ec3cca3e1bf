import { expect, test } from "vitest";
import { queryString } from "./query-string.js";

test("filters are written in brackets, however deep, and what is not asked for is left out", () => {
  const filters = { type: { conditions: { $in: ["GIFT_VOUCHER", "A&B"] } }, campaign: undefined };
  expect(decodeURIComponent(queryString({ limit: 25, code: undefined, filters }).replace("%26", "&"))).toBe(
    "limit=25&filters[type][conditions][$in][0]=GIFT_VOUCHER&filters[type][conditions][$in][1]=A&B",
  );
  expect(queryString({ code: "A&B=C" })).toBe("code=A%26B%3DC");
});
