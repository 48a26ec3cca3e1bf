import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const items = [
  { source_id: "mug-fjord", quantity: 2, price: 1_890, product: { name: "Mug “Fjord”, stoneware" } },
  { source_id: "candle-advent", quantity: 1, price: 2_220, product: { name: "Candle set “Advent”" } },
  { source_id: "towel-linen", quantity: 3, price: 750, product: { name: "Tea towel, linen" } },
];
const customer = { source_id: "crm-41877", name: "Jana Becker", email: "jana.becker@post.example" };

/** Orders of every status, one of which two codes were redeemed on at once. */
async function aShop({ api, runDue }: Installation): Promise<void> {
  await api.post("/v1/vouchers/BF26-7KQM-X2TD", { discount: { type: "PERCENT", percent_off: 20 } }, 200);
  await api.post("/v1/vouchers/GIFT-7KQM-X2TD", { type: "GIFT_VOUCHER", gift: { amount: 5_000 } }, 200);
  for (const [n, status] of ["CREATED", "PAID", "FULFILLED", "CANCELED"].entries())
    await api.post("/v1/orders", { source_id: `ord-20480${n}`, amount: 1_000 + n, status }, 200);
  const redeemables = [
    { object: "voucher", id: "BF26-7KQM-X2TD" },
    { object: "voucher", id: "GIFT-7KQM-X2TD", gift: { credits: 1_000 } },
  ];
  const order = { source_id: "ord-204817", status: "PAID", items, metadata: { channel: "app" } };
  await api.post("/v1/redemptions", { redeemables, order, customer }, 200);
  await runDue();
}

test("orders are narrowed by status, customer and the shop's own number", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/orders`);
  await page.getByRole("row", { name: /ord-204817 Jana Becker Paid/ }).waitFor();
  await lookAt(page, "orders");
  expect(await page.getByRole("row").count()).toBe(6);
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitem", { name: "Cancelled" }).click();
  await page.getByRole("link", { name: "ord-204817" }).waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?status=CANCELED");
  expect(await page.getByRole("row").count()).toBe(2);
  await page.goto(`${here}/orders?customer=crm-41877`);
  await page.getByRole("link", { name: "ord-204817" }).waitFor();
  expect(await page.getByRole("row").count()).toBe(2);
  await page.getByLabel("Your order number").fill("nothing");
  await page.keyboard.press("Enter");
  await page.getByText("No order matches these filters").waitFor();
  expect(complaints).toEqual([]);
});

test("what was redeemed on an order is undone there, all of it at once, in two clicks and a reason", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/orders/ord-204817`);
  await page.getByRole("row", { name: /Candle set/ }).waitFor();
  const redemptions = page.getByRole("region", { name: "Redemptions" }).first();
  await redemptions.getByRole("row", { name: /GIFT-7KQM-X2TD/ }).waitFor();
  await redemptions.getByRole("row", { name: /Several at once/ }).waitFor();
  // Parts of it are undone with it only.
  expect(await redemptions.getByRole("button", { name: "Roll back" }).count()).toBe(1);
  await page.getByText("Jana Becker").first().waitFor();
  await lookAt(page, "order");
  const clicks = await clicksOn(page);
  await redemptions.getByRole("button", { name: "Roll back" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back this redemption" });
  await dialog.getByLabel("Reason").fill("Order was returned");
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await redemptions
    .getByRole("row", { name: /Order was returned/ })
    .first()
    .waitFor();
  expect(await clicks()).toBe(2);
  for (const code of ["BF26-7KQM-X2TD", "GIFT-7KQM-X2TD"]) {
    const { body } = await installation.api.get(`/v1/vouchers/${code}`, 200);
    expect(body.redemption.redeemed_quantity, code).toBe(0);
  }
  await page.getByRole("link", { name: "Jana Becker" }).first().click();
  await page.getByRole("link", { name: /^Orders \d/ }).click();
  await page.getByRole("link", { name: "ord-204817" }).click();
  await page.getByRole("row", { name: /Candle set/ }).waitFor();
  expect(complaints).toEqual([]);
});

test("a viewer sees an order and undoes nothing on it; an order that nobody made is said to be none", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/orders/ord-204817`);
  await page.getByRole("row", { name: /Several at once/ }).waitFor();
  expect(await page.getByRole("button", { name: "Roll back" }).count()).toBe(0);
  await page.goto(`${here}/orders/nobody-made-it`);
  await page.getByText("Order could not be loaded").waitFor();
});
