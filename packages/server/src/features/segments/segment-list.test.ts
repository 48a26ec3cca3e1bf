import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, clock } = await startService({ project: { timezone: "Pacific/Auckland" } });

const made: { id: string; name: string; type: string }[] = [];
for (const [day, name, type] of [
  ["2026-09-26T11:30:00Z", "Oslo 50%", "static"],
  ["2026-09-26T12:30:00Z", "Oslo_all", "passive"],
  ["2026-09-27T11:30:00Z", "Bergen", "auto-update"],
] as const) {
  clock.set(day);
  made.push((await api.post("/v1/segments", { name, type, filter: { junction: "and" } }, 200)).body);
}
const [first, second, third] = made.map(({ id }) => id);
const namesOf = async (query: string) =>
  (await api.get(`/v1/segments?${query}`, 200)).body.data.map(({ name }: { name: string }) => name);

describe("the list of segments", () => {
  test("is newest first, cut to the limit, and counts all", async () => {
    const { body } = await api.get("/v1/segments?limit=2", 200);
    expect(body).toEqual({ object: "list", data_ref: "data", data: [made[2], made[1]], total: 3 });
    expect(await namesOf("order=created_at")).toEqual(["Oslo 50%", "Oslo_all", "Bergen"]);
  });

  test.each([
    [`ids[0]=${first}&ids[1]=${third}`, ["Bergen", "Oslo 50%"]],
    [`ids=${first}, ${second}`, ["Oslo_all", "Oslo 50%"]],
    ["ids=seg_none", []],
    ["start_date=2026-09-26T12:30:00Z", ["Bergen", "Oslo_all"]],
    ["end_date=2026-09-26T12:30:00Z", ["Oslo_all", "Oslo 50%"]],
    [`filters[id][conditions][$is]=${second}`, ["Oslo_all"]],
    [`[filters][id][conditions][$in][0]=${second}`, ["Oslo_all"]],
    ["filters[type][conditions][$in][0]=static&filters[type][conditions][$in][1]=passive", ["Oslo_all", "Oslo 50%"]],
    ["filters[type][conditions][$not_in][0]=static", ["Bergen", "Oslo_all"]],
    ["filters[type][conditions][$is_not]=passive", ["Bergen", "Oslo 50%"]],
    ["filters[name][conditions][$starts_with]=Os", ["Oslo_all", "Oslo 50%"]],
    ["filters[name][conditions][$ends_with]=en", ["Bergen"]],
    ["filters[name][conditions][$contains]=%25", ["Oslo 50%"]],
    ["filters[name][conditions][$contains]=o_a", ["Oslo_all"]],
    ["filters[name][conditions][$not_contain]=slo", ["Bergen"]],
    ["filters[name][conditions][$has_value]=", ["Bergen", "Oslo_all", "Oslo 50%"]],
    ["filters[name][conditions][$is_unknown]=", []],
    ["filters[created_at][conditions][$after]=2026-09-26T12:30:00Z", ["Bergen"]],
    ["filters[created_at][conditions][$before]=2026-09-26T12:30:00Z", ["Oslo 50%"]],
    // Made half an hour before and after midnight of the 27th, whose clocks go forward; now it is the 28th.
    ["filters[created_at][conditions][$more_than]=1", ["Oslo 50%"]],
    ["filters[created_at][conditions][$more_than]=2", []],
    ["filters[created_at][conditions][$less_than]=1", ["Bergen"]],
    ["filters[created_at][conditions][$less_than]=2", ["Bergen", "Oslo_all"]],
    ["filters[created_at][conditions][$less_than]=99999999", ["Bergen", "Oslo_all", "Oslo 50%"]],
    ["filters[name][conditions][$contains]=slo&filters[type][conditions][$is]=passive", ["Oslo_all"]],
    [
      "filters[junction]=OR&filters[name][conditions][$is]=Bergen&filters[type][conditions][$is]=passive",
      ["Bergen", "Oslo_all"],
    ],
    ["filters[name][conditions][$contains]=slo&filters[name][conditions][$ends_with]=all", ["Oslo_all"]],
    ["filters[junction]=or", ["Bergen", "Oslo_all", "Oslo 50%"]],
    ["filters[colour][conditions][$is]=red", ["Bergen", "Oslo_all", "Oslo 50%"]],
  ])("can be asked for %s", async (query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  const query = { key: "invalid_query_params", message: "Invalid query params" };
  const payload = { key: "invalid_payload", message: "Invalid payload" };
  test.each([
    ["limit=101", { ...query, details: "Property .limit must be <= 100" }],
    ["order=name", { ...query, details: expect.stringContaining("[created_at, -created_at]") }],
    ["filters=x", { ...query, details: "Property .filters must be object" }],
    [
      "filters[created_at][conditions][$after]=soon",
      {
        ...query,
        details: "Property .filters.created_at.conditions.$after cannot be recognized as a ISO-8601 compliant date",
      },
    ],
    [
      "filters[created_at][conditions][$more_than]=-1",
      { ...query, details: "Property .filters.created_at.conditions.$more_than must be integer" },
    ],
    [
      "filters[junction]=nor",
      { ...payload, details: "Property .filter has wrong `junction` property. It must be one of: and, or" },
    ],
    [
      "filters[name][conditions][$near]=x",
      {
        ...payload,
        details:
          "Property .parameters.filters should match either $in, $not_in, $is, $is_not, $has_value, $is_unknown, $starts_with, $ends_with, $contains, $not_contain",
      },
    ],
    [
      "filters[created_at][conditions][$contains]=x",
      {
        ...payload,
        details: expect.stringMatching(
          /^Property \.parameters\.filters should match either .*\$after, \$before, \$has_value, \$is_unknown, \$more_than, \$less_than,/,
        ),
      },
    ],
  ])("is not given for %s", async (asked, refused) => {
    expect((await api.get(`/v1/segments?${asked}`, 400)).body).toMatchObject({ code: 400, ...refused });
  });
});
