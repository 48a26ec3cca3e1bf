import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

/** Codes of a shop before Christmas: coupons of every state, and a card. */
async function aShop({ api }: Installation): Promise<void> {
  const percent = { discount: { type: "PERCENT", percent_off: 20, amount_limit: 5_000 } };
  const limit = { redemption: { quantity: 3 } };
  await api.post(
    "/v1/vouchers/BF26-7KQM-X2TD",
    { ...percent, ...limit, category: "Seasonal", metadata: { wave: 2 } },
    200,
  );
  await api.post("/v1/vouchers/WELCOME10", { discount: { type: "AMOUNT", amount_off: 1_000 } }, 200);
  await api.post("/v1/vouchers/ADVENT-1", { ...percent, start_date: "2036-12-01T00:00:00Z" }, 200);
  await api.post("/v1/vouchers/SPRING-9", { ...percent, expiration_date: "2024-12-01T00:00:00Z" }, 200);
  await api.post(
    "/v1/vouchers/SHIP-FREE",
    { discount: { type: "UNIT", unit_off: 1, unit_type: "prod_5h1pp1ng" } },
    200,
  );
  await api.post("/v1/vouchers/SHIP-FREE/disable", undefined, 200);
  await api.post("/v1/vouchers/GIFT-7KQM-X2TD", { type: "GIFT_VOUCHER", gift: { amount: 5_000 } }, 200);
  const customer = { source_id: "crm-41877", name: "Jana Becker", email: "jana.becker@post.example" };
  const order = { source_id: "ord-204817", amount: 8_250, customer };
  await api.post(
    "/v1/redemptions",
    { redeemables: [{ object: "voucher", id: "BF26-7KQM-X2TD" }], order, customer },
    200,
  );
}

test("a list keeps its filters in the address: Back brings them back, and so does a link", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/vouchers`);
  await page.getByRole("link", { name: "BF26-7KQM-X2TD" }).waitFor();
  await lookAt(page, "vouchers");
  const rows = () => page.getByRole("row").count();
  expect(await rows()).toBe(7);

  await page.getByRole("button", { name: "Type" }).click();
  await page.getByRole("menuitem", { name: "Gift card" }).click();
  await page.getByRole("link", { name: "WELCOME10" }).waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?type=GIFT_VOUCHER");
  expect(await rows()).toBe(2);
  await page.getByRole("link", { name: "GIFT-7KQM-X2TD" }).click();
  await page.getByRole("heading", { name: /GIFT-7KQM-X2TD/, level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Remove the filter Type" }).click();
  await page.getByRole("link", { name: "WELCOME10" }).waitFor();

  await page.getByLabel("Code begins with").fill("ship");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "WELCOME10" }).waitFor({ state: "detached" });
  await page.goto(`${here}/vouchers?code=nothing&never=heard`);
  await page.getByText("No code matches these filters").waitFor();
  expect(complaints).toEqual([]);
});

test("a list is turned page by page", async () => {
  const installation = await anInstallation();
  for (let i = 0; i < 52; i += 1)
    await installation.api.post(`/v1/vouchers/CODE-${10 + i}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  const { page, here } = await aPageOf(installation);
  await page.goto(`${here}/vouchers?sort=code`);
  await page.getByRole("link", { name: "CODE-10" }).waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByRole("link", { name: "CODE-61" }).waitFor();
  expect(await page.getByRole("row").count()).toBe(3);
  await page.getByRole("button", { name: "First page" }).click();
  await page.getByRole("link", { name: "CODE-10" }).waitFor();
});

test("a goodwill of 10.00 on a gift card takes three clicks, and a reason", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/vouchers/GIFT-7KQM-X2TD`);
  await page.getByRole("button", { name: "Adjust balance" }).waitFor();
  const clicks = await clicksOn(page);
  await page.getByRole("button", { name: "Adjust balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust the balance of GIFT-7KQM-X2TD" });
  await dialog.getByLabel("Amount").fill("10.00");
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("Say why").waitFor();
  await dialog.getByLabel("Reason").fill("Parcel came late");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByText("$10.00 added").waitFor();
  expect(await clicks()).toBeLessThanOrEqual(3);
  const { body } = await installation.api.get("/v1/vouchers/GIFT-7KQM-X2TD", 200);
  expect(body.gift.balance).toBe(6_000);
  await page.getByRole("link", { name: "Transactions" }).click();
  await page.getByRole("cell", { name: /Parcel came late/ }).waitFor();
  await lookAt(page, "gift-transactions");
  expect(complaints).toEqual([]);
});

test("a redemption is undone from the code in two clicks and a reason", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/vouchers/BF26-7KQM-X2TD`);
  await page.getByRole("row", { name: /Jana Becker/ }).waitFor();
  await lookAt(page, "voucher");
  const clicks = await clicksOn(page);
  await page
    .getByRole("row", { name: /Jana Becker/ })
    .getByRole("button", { name: "Roll back" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Roll back this redemption" });
  await dialog.getByLabel("Reason").fill("Order was returned");
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await page.getByRole("row", { name: /Order was returned/ }).waitFor();
  expect(await clicks()).toBe(2);
  const { body } = await installation.api.get("/v1/vouchers/BF26-7KQM-X2TD", 200);
  expect(body.redemption.redeemed_quantity).toBe(0);
  expect(complaints).toEqual([]);
});

test("a code is switched off at once, and Undo switches it on again", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/vouchers/WELCOME10`);
  const isActive = async () => (await installation.api.get("/v1/vouchers/WELCOME10", 200)).body.active;
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("WELCOME10 disabled").waitFor();
  expect(await isActive()).toBe(false);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("WELCOME10 enabled").waitFor();
  expect(await isActive()).toBe(true);
  expect(complaints).toEqual([]);
});

test("a viewer sees a code and nothing that would change it; a code that nobody made is said to be none", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/vouchers/BF26-7KQM-X2TD`);
  await page.getByRole("row", { name: /Jana Becker/ }).waitFor();
  for (const name of ["Roll back", "Disable", "Adjust balance"])
    expect(await page.getByRole("button", { name }).count(), name).toBe(0);
  await page.goto(`${here}/vouchers/NOBODY-MADE-IT`);
  await page.getByText("Voucher could not be loaded").waitFor();
});

test("a caller's code is found by Ctrl-K, paste and Enter, and what nobody made is said to be nothing", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/vouchers`);
  await page.getByRole("link", { name: "WELCOME10" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.insertText("no-such-thing");
  await page.getByText("Nothing is called “no-such-thing”").waitFor();
  await lookAt(page, "search");
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.insertText("GIFT-7KQM-X2TD");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /GIFT-7KQM-X2TD/, level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});
