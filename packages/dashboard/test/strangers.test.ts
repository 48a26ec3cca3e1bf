import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

/** As long as a name may be: markup that would act, letters from right to left, and a word without an end. */
const hostile = (what: string) =>
  `<img src=x onerror="window.acted=1"> ${what} \u202eשלום عليكم ${"W".repeat(255)}`.slice(0, 255);
/** What is not filed by it may be longer still. */
const endless = `<script>window.acted=1</script> שלום ${"W".repeat(500)}`;

/** A shop where everything that somebody else may name has such a name. Answers the pages of single things. */
async function aHostileShop({ api, runDue }: Installation): Promise<string[]> {
  const made = async (path: string, body: object) => (await api.post(path, body, 200)).body;
  const metadata = { [hostile("key").slice(0, 100)]: endless, plain: endless };
  const discount = { type: "PERCENT", percent_off: 10 };
  const category = await made("/v1/categories", { name: hostile("category"), hierarchy: 1 });
  const campaign = await made("/v1/campaigns", {
    name: hostile("campaign"),
    description: endless,
    category: category.name,
    campaign_type: "DISCOUNT_COUPONS",
    type: "STATIC",
    vouchers_count: 1,
    voucher: { type: "DISCOUNT_VOUCHER", discount },
    metadata,
  });
  const tiers = [{ name: hostile("tier"), banner: hostile("banner"), action: { discount } }];
  await made("/v1/campaigns", { name: hostile("promotion"), campaign_type: "PROMOTION", promotion: { tiers } });
  const code = hostile("code").replaceAll("/", "");
  await made("/v1/vouchers", { code, type: "DISCOUNT_VOUCHER", discount, metadata, additional_info: endless });
  const rules = {
    1: { name: "order.amount", conditions: { $more_than: [1] }, error: { message: endless } },
    logic: "1",
  };
  const rule = await made("/v1/validation-rules", { name: hostile("rule"), rules });
  const customer = await made("/v1/customers", {
    name: hostile("customer"),
    source_id: hostile("source"),
    phone: hostile("phone"),
    description: endless,
    address: { city: hostile("city"), line_1: hostile("street") },
    metadata,
  });
  const product = await made("/v1/products", { name: hostile("product"), source_id: hostile("item"), metadata });
  await made(`/v1/products/${product.id}/skus`, { sku: hostile("sku"), source_id: hostile("variant") });
  const segment = await made("/v1/segments", { name: hostile("segment"), type: "static", customers: [customer.id] });
  const items = [{ product_id: product.id, quantity: 1, price: 1_000, product: { name: hostile("line"), metadata } }];
  const { redemptions } = await made("/v1/redemptions", {
    redeemables: [{ object: "voucher", id: code }],
    customer: { source_id: customer.source_id },
    order: { source_id: hostile("order"), amount: 1_000, items, metadata },
    metadata,
  });
  await api.post("/v1/redemptions", {
    redeemables: [{ object: "voucher", id: hostile("nothing") }],
    order: { amount: 1 },
  });
  const { body: task } = await api.post("/v1/vouchers/bulk/async", [{ code: hostile("nobody"), metadata: {} }], 202);
  await runDue();
  const [redemption] = redemptions;
  return [
    `vouchers/${encodeURIComponent(code)}`,
    `campaigns/${campaign.id}`,
    `customers/${customer.id}`,
    `customers/${customer.id}/orders`,
    `orders/${redemption.order.id}`,
    `redemptions/${redemption.id}`,
    `products/${product.id}`,
    `segments/${segment.id}`,
    `rules/${rule.id}`,
    `tasks/${task.async_action_id}`,
    `vouchers?category=${encodeURIComponent(hostile("category"))}`,
  ];
}

const lists = [
  "overview",
  "campaigns",
  "promotions",
  "vouchers",
  "rules",
  "customers",
  "segments",
  "redemptions",
].concat(["redemptions/validations", "orders", "products", "categories", "requests", "tasks", "settings/metadata"]);

/** What the texts did to a page that they should not. */
async function harmIn(page: Page): Promise<string[]> {
  const harm: string[] = [];
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 });
    // A chart is drawn anew for another width, and not at once.
    await page
      .waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, null, { timeout: 5_000 })
      .catch(() => undefined);
    const sticks_out = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (sticks_out > 0) harm.push(`${sticks_out} wider than ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const acted = await page.evaluate(
    () => "acted" in window || document.querySelector("#root img[src='x'], #root script") !== null,
  );
  return acted ? [...harm, "a text became markup"] : harm;
}

test("texts of strangers are texts on every page, and break none", async () => {
  const installation = await anInstallation();
  const details = await aHostileShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  const harmed: Record<string, string[]> = {};
  const silent: string[] = [];
  for (const path of [...lists, ...details]) {
    await page.goto(`${here}/${path}`, { waitUntil: "networkidle" });
    const harm = await harmIn(page);
    if (harm.length > 0) harmed[path.slice(0, 60)] = harm;
    if (!(await page.locator("main").innerText()).includes("<img src=x")) silent.push(path.slice(0, 60));
  }
  expect(harmed).toEqual({});
  // These show nothing that was named here.
  expect(silent).toEqual(["overview", "redemptions/validations", "requests", "tasks", "settings/metadata"]);
  expect(complaints).toEqual([]);
});
