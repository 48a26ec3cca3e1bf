import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const items = [
  { source_id: "mug-fjord", product: { name: "Mug “Fjord”, stoneware" }, quantity: 2, price: 1_890 },
  { source_id: "candles", product: { name: "Candle set “Advent”" }, quantity: 1, price: 2_220 },
];
const jana = { source_id: "crm-41877", name: "Jana Becker" };

/** A coupon that was redeemed and then refused, and a gift card of which a part is locked. */
async function aDay({ api }: Installation): Promise<void> {
  const discount = { type: "PERCENT", percent_off: 20 };
  await api.post("/v1/vouchers/BF26-7KQM-X2TD", { discount, redemption: { quantity: 1 } }, 200);
  await api.post("/v1/vouchers/GIFT-7KQM", { type: "GIFT_VOUCHER", gift: { amount: 5_000 } }, 200);
  const order = { source_id: "ord-204817", items };
  const redeemables = [{ object: "voucher", id: "BF26-7KQM-X2TD" }];
  await api.post("/v1/redemptions", { redeemables, order, customer: jana }, 200);
  await api.post("/v1/redemptions", { redeemables, order: { amount: 1_000 }, customer: jana }, 400);
  const session = { type: "LOCK", key: "cart-204818", ttl: 2, ttl_unit: "HOURS" };
  const card = [{ object: "voucher", id: "GIFT-7KQM", gift: { credits: 1_200 } }];
  await api.post("/v1/validations", { redeemables: card, order: { amount: 3_000 }, session }, 200);
}

test("a redemption is found by its order's code, seen with its order, and undone in two clicks and a reason", async () => {
  const installation = await anInstallation();
  await aDay(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/redemptions`);
  const rows = page.getByRole("table").getByRole("row");
  await rows.nth(2).waitFor();
  await lookAt(page, "redemptions");
  await page.getByRole("button", { name: "Result" }).click();
  await page.getByRole("menuitem", { name: "Succeeded" }).click();
  await expect.poll(() => rows.count()).toBe(2);
  expect(new URL(page.url()).search).toBe("?result=SUCCESS");
  await rows.nth(1).getByRole("link", { name: /:/ }).click();
  await page.getByRole("heading", { name: "BF26-7KQM-X2TD", level: 1 }).waitFor();
  await page.getByRole("row", { name: /Mug “Fjord”, stoneware 2 \$18.90 \$37.80/ }).waitFor();
  await lookAt(page, "redemption");

  const clicks = await clicksOn(page);
  await page.getByRole("button", { name: "Roll back" }).click();
  await page.getByLabel("Reason").fill("Came back in the box");
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await page.getByText("Redemption rolled back").waitFor();
  expect(await clicks()).toBe(2);
  await page.getByText("Rolled back", { exact: true }).waitFor();
  await page.goto(`${here}/redemptions?code=never`);
  await page.getByText("No redemption matches these filters").waitFor();
  expect(complaints).toEqual([]);
});

test("what was validated is listed with whom it was for and why not, and found by code, customer and outcome", async () => {
  const installation = await anInstallation();
  await aDay(installation);
  const { api } = installation;
  const hostile = `<b>${"long".repeat(40)}</b> שלום`;
  const redeemables = ["BF26-7KQM-X2TD", hostile].map((id) => ({ object: "voucher", id }));
  await api.post("/v1/validations", { redeemables, order: { amount: 1_000 }, customer: jana }, 200);
  const { page, here, complaints } = await aPageOf(installation, "VIEWER");
  const rows = page.getByRole("table").getByRole("row");
  await page.goto(`${here}/redemptions`);
  // The log is written a second later.
  await expect
    .poll(async () => {
      await page.goto(`${here}/redemptions/validations`);
      await rows.or(page.getByText("Nothing was validated")).first().waitFor();
      return rows.count();
    })
    .toBe(3);
  await page.getByRole("row", { name: /GIFT-7KQM Valid Nobody known/ }).waitFor();
  await page.getByRole("row", { name: /BF26-7KQM-X2TD.*long.*Not valid Jana Becker/ }).waitFor();
  await lookAt(page, "validations");
  await page.getByLabel("Code").press("G");
  await page.getByLabel("Code").fill("GIFT-7KQM");
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("button", { name: "Came to" }).click();
  await page.getByRole("menuitem", { name: "Not valid" }).click();
  await page.getByText("No validation matches these filters").waitFor();
  await page.goto(`${here}/redemptions/validations?customer=${jana.source_id}`);
  await page.getByRole("link", { name: "Jana Becker" }).click();
  await page.getByRole("heading", { name: "Jana Becker", level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

test("what is locked is seen and released by who may, and only seen by others", async () => {
  const installation = await anInstallation();
  await aDay(installation);
  const viewer = await aPageOf(installation, "VIEWER");
  await viewer.page.goto(`${viewer.here}/redemptions/sessions`);
  await viewer.page.getByRole("row", { name: /GIFT-7KQM cart-204818 \$12.00/ }).waitFor();
  expect(await viewer.page.getByRole("button", { name: "Release" }).count()).toBe(0);

  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/redemptions`);
  await page.getByRole("link", { name: "Locks" }).click();
  await page.getByRole("button", { name: "Release" }).waitFor();
  await lookAt(page, "sessions");
  await page.getByRole("button", { name: "Release" }).click();
  await page.getByText("Nothing is locked").waitFor();
  expect(complaints).toEqual([]);
});
