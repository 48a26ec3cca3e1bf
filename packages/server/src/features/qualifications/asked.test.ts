import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { shopsOf } from "./qualification.fixtures.js";

const aShop = shopsOf(await startService());

describe("redemption.md §13.1, what is asked", () => {
  test("five entries unless a limit is given, at most 50", async () => {
    const shop = await aShop();
    for (let i = 0; i < 7; i += 1) await shop.code({ amount_off: 100 + i });
    expect((await shop.qualify({})).data).toHaveLength(5);
    expect((await shop.qualify({ options: { limit: 7 } })).data).toHaveLength(7);
    const { body } = await shop.api.post("/v1/qualifications", { options: { limit: 51 } }, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining("limit must be <= 50") });
  });

  test.each([null, "", "null"])("starting_after %j is the beginning", async (starting_after) => {
    const shop = await aShop();
    await shop.code();
    expect((await shop.qualify({ options: { starting_after } })).data).toHaveLength(1);
  });

  test("a starting_after that is no date is refused by its name", async () => {
    const { api } = await aShop();
    const { body } = await api.post("/v1/qualifications", { options: { starting_after: "yesterday" } }, 400);
    expect(body.details).toContain("starting_after");
  });

  test("pages of the newest first walk through everything once, also what was made at one instant", async () => {
    const shop = await aShop();
    const tiers = await shop.tiers([1, 2, 3, 4, 5].map((amount_off) => ({ amount_off })));
    const codes = [await shop.code(), await shop.code()];
    expect((await shop.walk({ options: { limit: 2 } })).sort()).toEqual([...tiers, ...codes].sort());
    expect((await shop.walk({ options: { limit: 2, sorting_rule: "BEST_DEAL" } })).sort()).toEqual(
      [...tiers, ...codes].sort(),
    );
  });

  test("by deals it begins anew where the last entry has gone meanwhile, so that none is lost", async () => {
    const shop = await aShop();
    const [best, second, third] = [
      await shop.code({ amount_off: 300 }),
      await shop.code({ amount_off: 200 }),
      await shop.code({ amount_off: 100 }),
    ];
    const ask = (starting_after?: string) =>
      shop.qualify({ options: { limit: 2, sorting_rule: "BEST_DEAL", starting_after } });
    const { data, more_starting_after } = await ask();
    expect(data.map(({ id }) => id)).toEqual([best, second]);
    await shop.api.post(`/v1/vouchers/${second}/disable`, undefined, 200);
    expect((await ask(more_starting_after)).data.map(({ id }) => id)).toEqual([best, third]);
  });

  test("the created_at of the last entry is a cursor too", async () => {
    const shop = await aShop();
    const [old, middle, young] = [await shop.code(), await shop.code(), await shop.code()];
    const { data } = await shop.qualify({ options: { limit: 2 } });
    expect(data.map(({ id }) => id)).toEqual([young, middle]);
    const rest = await shop.qualify({ options: { starting_after: data[1]?.created_at } });
    expect(rest.data.map(({ id }) => id)).toEqual([old]);
  });

  const ofTraits = async () => {
    const shop = await aShop();
    const category = (await shop.api.post("/v1/categories", { name: "Shoes", hierarchy: 1 }, 200)).body.id as string;
    const [tier] = await shop.tiers([{ amount_off: 5 }]);
    const standalone = await shop.code({}, { category_id: category });
    const customer = await shop.customer();
    const held = await shop.code({}, {}, customer);
    const gift = await shop.code({}, { type: "GIFT_VOUCHER", discount: undefined, gift: { amount: 900 } });
    const campaign = await shop.campaign();
    return { shop, category, customer, names: { tier, standalone, held, gift, campaign } };
  };
  test.each([
    [{ resource_type: { conditions: { $is: ["promotion_tier", "voucher"] } } }, ["tier"]],
    [{ resource_type: { conditions: { $in: ["promotion_tier", "campaign"] } } }, ["tier", "campaign"]],
    [{ resource_type: { conditions: { $not_in: ["voucher"] } } }, ["tier", "campaign"]],
    [{ campaign_type: { conditions: { $is: ["PROMOTION"] } } }, ["tier"]],
    [{ campaign_type: { conditions: { $is_unknown: [""] } } }, ["standalone", "held", "gift"]],
    [{ campaign_id: { conditions: { $has_value: [""] } } }, ["tier", "campaign"]],
    [{ voucher_type: { conditions: { $is: ["GIFT_VOUCHER"] } } }, ["gift"]],
    [{ holder_role: { conditions: { $is: ["OWNER"] } } }, ["held"]],
    [{ category_id: { conditions: { $is: ["CATEGORY"] } } }, ["standalone"]],
    [{ code: { conditions: { $in: ["STANDALONE", "HELD"] } } }, ["standalone", "held"]],
    [{ code: { conditions: { $is_not: ["STANDALONE"] } } }, ["tier", "held", "gift", "campaign"]],
    [{ resource_id: { conditions: { $is: ["TIER"] } } }, ["tier"]],
    [
      { voucher_type: { conditions: { $is: ["DISCOUNT_VOUCHER"] } }, holder_role: { conditions: { $is: ["OWNER"] } } },
      ["held"],
    ],
    [
      {
        junction: "or",
        voucher_type: { conditions: { $is: ["GIFT_VOUCHER"] } },
        holder_role: { conditions: { $is: ["OWNER"] } },
      },
      ["held", "gift"],
    ],
    [
      {
        junction: "OR",
        voucher_type: { conditions: { $is: ["GIFT_VOUCHER"] } },
        holder_role: { conditions: { $is: ["OWNER"] } },
      },
      ["held", "gift"],
    ],
    [
      {
        junction: "And",
        voucher_type: { conditions: { $is: ["DISCOUNT_VOUCHER"] } },
        holder_role: { conditions: { $is: ["OWNER"] } },
      },
      ["held"],
    ],
  ])("filters %j find %j", async (filters, found) => {
    const { shop, category, customer, names } = await ofTraits();
    const { standalone, held, tier } = names;
    const said = { STANDALONE: standalone, HELD: held, TIER: tier, CATEGORY: category };
    const named = JSON.parse(JSON.stringify(filters), (_, value) => said[value as keyof typeof said] ?? value);
    const { data } = await shop.qualify({ customer: { id: customer }, options: { limit: 50, filters: named } });
    const by_id = new Map(Object.entries(names).map(([name, id]) => [id, name]));
    expect(data.map(({ id }) => by_id.get(id)).sort()).toEqual([...found].sort());
  });

  test.each([{ colour: { conditions: { $is: ["red"] } } }, { code: { conditions: { $like: ["x"] } } }])(
    "a filter that nobody knows is refused, not ignored: %j",
    async (filters) => {
      const { api } = await aShop();
      const { body } = await api.post("/v1/qualifications", { options: { filters } }, 400);
      expect(body).toMatchObject({
        key: "invalid_payload",
        details: expect.stringMatching(/filters\..* not supported/),
      });
    },
  );
});

test.each(["xor", "", 1])("a junction is `and` or `or`, and not %j", async (junction) => {
  const { api } = await aShop();
  const { body } = await api.post("/v1/qualifications", { options: { filters: { junction } } }, 400);
  expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining("junction") });
});

describe("bad input", () => {
  test("an unknown customer or order id is not found, a source id is a newcomer", async () => {
    const { api } = await aShop();
    expect((await api.post("/v1/qualifications", { customer: { id: "cust_x" } }, 404)).body.resource_type).toBe(
      "customer",
    );
    expect((await api.post("/v1/qualifications", { order: { id: "ord_x" } }, 404)).body.resource_type).toBe("order");
    await api.post("/v1/qualifications", { customer: { source_id: "x" }, order: { source_id: "y" } }, 200);
  });

  test.each([
    { scenario: "SOME" },
    { options: { sorting_rule: "WORST" } },
    { options: { expand: ["everything"] } },
    { options: { limit: 0 } },
    { order: { amount: -1 } },
    { order: { items: Array.from({ length: 501 }, () => ({ product_id: "x" })) } },
    { customer: "ann" },
  ])("%j is a 400", async (body) => {
    const { api } = await aShop();
    expect((await api.post("/v1/qualifications", body, 400)).body.key).toMatch(/^invalid_/);
  });
});
