import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, removeShop, type Shop } from "../../../scripts/shop.mjs";
import { someoneIn } from "../src/features/people/people.fixtures.js";
import { createSecondPhase } from "../src/second-phase.js";
import { createClient } from "./harness/client.js";
import { startService } from "./harness/service.js";

const service = await startService();
const { url, context, clock, project, management } = service;
const key = { management_id: "test-management", management_token: "test-management-token" };
const through = { url, project_id: project.id, ...key };

const shops = async (): Promise<{ id: string; name: string }[]> =>
  (await management.get("/management/v1/projects", 200)).body.data.filter(
    ({ name }: { name: string }) => name === "Sample shop",
  );
/** The second phase of the shop, whose project is only there once it has begun. */
const before_poll = async () => {
  const project_ids = (await shops()).map(({ id }) => id);
  await createSecondPhase(context, { project_ids }).runDue(clock.now());
};

const { user } = await someoneIn(service, project.id, "ADMIN");
let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ ...through, before_poll, now: clock.now() });
}, 60_000);
afterAll(async () => {
  if ((await shops()).length > 0) await removeShop(through);
});
const read = async (path: string) =>
  (await createClient(url, { "x-app-id": shop.app_id, "x-app-token": shop.app_token }).get(path, 200)).body;

describe("the sample shop", () => {
  test("has campaigns of every kind, customers, and redemptions of which some were refused or taken back", async () => {
    const { campaigns } = await read("/v1/campaigns?limit=100");
    expect(new Set(campaigns.map(({ campaign_type }: { campaign_type: string }) => campaign_type))).toEqual(
      new Set(["DISCOUNT_COUPONS", "GIFT_VOUCHERS", "PROMOTION", "LOYALTY_PROGRAM", "REFERRAL_PROGRAM"]),
    );
    expect((await read("/v1/customers")).total).toBe(shop.customers);
    expect(shop.redeemed).toBeGreaterThan(50);
    expect(shop.refused).toBeGreaterThan(20);
    expect(shop.rolled_back).toBeGreaterThan(0);
    const { total } = await read("/v1/redemptions?result=SUCCESS");
    expect(total).toBe(shop.redeemed + shop.rolled_back);
  });

  test("has orders that say when in ninety days they were placed", async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => read(`/v1/orders?limit=100&page=${page}`)));
    const orders = pages.flatMap((page) => page.orders);
    const placed = orders.flatMap(({ metadata }: { metadata: { placed_at?: string } }) => metadata.placed_at ?? []);
    const ages = placed.map((at: string) => (clock.now() - Date.parse(at)) / 86_400_000);
    expect(ages).toHaveLength(shop.orders);
    expect(Math.max(...ages)).toBeGreaterThan(89);
    expect(Math.max(...ages)).toBeLessThan(91);
  });

  test("is there for whoever works in the first project", async () => {
    const { data } = (await management.get(`/management/v1/projects/${shop.project_id}/users`, 200)).body;
    expect(data).toContainEqual(expect.objectContaining({ id: user.id, role: "ADMIN" }));
  });

  test("is there once, and goes away with all that is in it", async () => {
    await expect(openShop(through)).rejects.toThrow("there is a sample shop already");
    expect(await removeShop(through)).toBe(shop.project_id);
    expect(await shops()).toEqual([]);
    await createClient(url, { "x-app-id": shop.app_id, "x-app-token": shop.app_token }).get("/v1/campaigns", 401);
    await expect(removeShop(through)).rejects.toThrow("there is no sample shop");
  });
});
