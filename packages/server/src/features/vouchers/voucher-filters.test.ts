import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { condition, expected, now, queryOf, type Stock, stock, store } from "./voucher-filters.fixtures.js";

const long = process.env.GUERDON_TEST_LONG === "1";
const { api, context, project, anotherProject } = await startService({ project: { timezone: "Europe/Warsaw" } });
await store(context, project.id);

const found = async (query: string, of = api) => {
  const { body } = await of.get(`/v1/vouchers?${query}`, 200);
  return (body.vouchers as { code: string }[]).map(({ code }) => code).sort();
};

describe("filters of vouchers", () => {
  test("find what a plain look at each voucher finds", async () => {
    const asked = fc.record({
      // One condition a field and operator: the second would replace the first in a query.
      conditions: fc.uniqueArray(condition, {
        minLength: 1,
        maxLength: 4,
        selector: ({ field, operator }) => `${field} ${operator}`,
      }),
      junction: fc.constantFrom("and", "or"),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ conditions, junction }) => {
        expect(await found(queryOf(conditions, junction))).toEqual(expected(conditions, junction));
      }),
      { numRuns: long ? 5000 : 100 },
    );
  });

  test.each([
    [
      "$active",
      ({ active, start_date, expiration_date }: Stock) =>
        active !== false && (start_date ?? 0) <= now && (expiration_date ?? now) >= now,
    ],
    ["$expired", ({ expiration_date }: Stock) => expiration_date !== null && expiration_date < now],
    ["$before_start", ({ start_date }: Stock) => start_date !== null && start_date > now],
    ["$enabled", ({ active }: Stock) => active !== false],
    ["$disabled", ({ active }: Stock) => active === false],
    ["$redeemed", (voucher: Stock) => voucher["redemption.redeemed_quantity"] > 0],
  ])("know the state %s, with and without `conditions`", async (state, is) => {
    const codes = stock
      .filter(is)
      .map(({ code }) => code)
      .sort();
    expect(codes.length).toBeGreaterThan(0);
    expect(await found(`limit=100&filters[active][conditions][${state}]=true`)).toEqual(codes);
    expect(await found(`limit=100&filters[active][${state}]=`)).toEqual(codes);
  });

  test("take referral codes as true or not", async () => {
    const codes = (is: boolean) =>
      stock
        .filter((one) => (one.is_referral_code ?? false) === is)
        .map(({ code }) => code)
        .sort();
    expect(await found("limit=100&filters[is_referral_code][conditions][$is]=TRUE")).toEqual(codes(true));
    expect(await found("limit=100&filters[is_referral_code][conditions][$is]=false")).toEqual(codes(false));
    expect(await found("limit=100&filters[is_referral_code][conditions][$is_not]=true")).toEqual(codes(false));
  });

  test("take a leading bracket, percent-encoded ones, an index, a repeated key, and two hundred values and more", async () => {
    const codes = stock
      .slice(0, 3)
      .map(({ code }) => code)
      .sort();
    const [first, second, third] = codes.map(encodeURIComponent);
    expect(
      await found(
        `[filters][code][conditions][$in][0]=${first}&[filters][code][conditions][$in][1]=${second}&[filters][code][conditions][$in][2]=${third}`,
      ),
    ).toEqual(codes);
    expect(
      await found(
        `filters%5Bcode%5D%5Bconditions%5D%5B%24in%5D%5B%5D=${first}&filters%5Bcode%5D%5Bconditions%5D%5B%24in%5D%5B%5D=${second}`,
      ),
    ).toEqual(codes.slice(0, 2));
    expect(await found(`filters[code][conditions][$in]=${first}&filters[code][conditions][$in]=${third}`)).toEqual([
      codes[0],
      codes[2],
    ]);
    const many = Array.from({ length: 400 }, (_none, i) => `filters[code][conditions][$in][]=none-${i}`).join("&");
    expect(await found(`${many}&filters[code][conditions][$in][]=${first}`)).toEqual([codes[0]]);
  });

  test("an unknown campaign or a known code finds exactly the code", async () => {
    const { code } = stock[5]!;
    const query = `filters[junction]=OR&filters[campaign_ids][conditions][$in][0]=camp_none&filters[code][conditions][$is]=${encodeURIComponent(code)}`;
    expect(await found(query)).toEqual([code]);
  });

  test("show another project none of it, whatever is asked", async () => {
    const { api: stranger } = await anotherProject();
    await fc.assert(
      fc.asyncProperty(condition, async (asked) => {
        expect(await found(queryOf([asked], "or"), stranger)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  const hostile = ["'", '"', "\\", "%", "_", "$1", "'; drop table vouchers; --", "{}", '"}', "a.b", ")", "or true"];
  test.each(hostile)("take %s as a value and as a name of a property, and nothing else", async (text) => {
    const encoded = encodeURIComponent(text);
    for (const operator of ["$is", "$contains", "$starts_with", "$not_in", "$more_than"]) {
      const value = operator === "$more_than" ? "1" : encoded;
      await api.get(
        `/v1/vouchers?filters[${encodeURIComponent(`metadata.${text}`)}][conditions][${operator}]=${value}`,
        200,
      );
    }
    expect(await found(`limit=100&filters[code][conditions][$is]=${encoded}`)).toEqual([]);
    expect(await found(`limit=100&filters[code][conditions][$is_not]=${encoded}`)).toHaveLength(stock.length);
    await api.get(`/v1/vouchers?filters[${encoded}][conditions][$is]=x`, 200);
    await api.get(`/v1/vouchers?filters[code][conditions][${encoded}]=x`, 400);
    await api.get(`/v1/vouchers?order=${encoded}`, 400);
  });

  test.each([
    ["filters[redemption_status][conditions][$is]=x", "Property .filters.redemption_status is not supported"],
    ["filters[redemption.colour][conditions][$is]=1", "Property .filters.redemption.colour is not supported"],
    ["filters=x", "Property .filters must be object"],
    ["filters[code]=x", "Property .filters.code must be object"],
    ["filters[code][conditions]=x", "Property .filters.code.conditions must be object"],
    ["filters[code][conditions][$is][a][b]=x", "must be string or array of strings"],
    [
      "filters[redemption.quantity][conditions][$is]=many",
      "Property .filters.redemption.quantity.conditions.$is must be number",
    ],
    ["filters[is_referral_code][conditions][$is]=perhaps", "must be boolean"],
    ["filters[validity_day_of_week][conditions][$is]=monday", "must be integer"],
    [`filters[code][conditions][$is]=${"x".repeat(1025)}`, "must not be longer than 1024 characters"],
    [`filters[metadata.${"x".repeat(255)}][conditions][$is]=1`, "must not be longer than 255 characters"],
    [
      Array.from({ length: 51 }, (_none, i) => `filters[metadata.${i}][conditions][$is]=1`).join("&"),
      "must not have more than 50 fields",
    ],
    [
      Array.from({ length: 21 }, (_none, i) => `filters[code][conditions][$contains][]=${i}`).join("&"),
      "must not have more than 20 items",
    ],
  ])("refuse %s", async (query, details) => {
    const { body } = await api.get(`/v1/vouchers?${query}`, 400);
    expect(body).toMatchObject({ key: "invalid_query_params", details: expect.stringContaining(details) });
  });

  test("refuse an operator that the field does not have", async () => {
    const { body } = await api.get("/v1/vouchers?filters[code][conditions][$near]=x", 400);
    expect(body).toMatchObject({
      key: "invalid_payload",
      details: expect.stringContaining("should match either $in, $not_in"),
    });
  });

  test("refuse a wrong junction, and take one in any letter case", async () => {
    const { body } = await api.get("/v1/vouchers?filters[junction]=xor", 400);
    expect(body.details).toBe("Property .filter has wrong `junction` property. It must be one of: and, or");
    await api.get("/v1/vouchers?filters[junction]=Or", 200);
  });
});
