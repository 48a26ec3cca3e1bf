import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation, whileItWorks } from "./harness/service.js";

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

test("a list has the columns that somebody chose, and a view keeps filters, order and columns of its own", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  const heading = (name: string) => page.getByRole("columnheader", { name, exact: true });
  const turn = async (name: string) => {
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name }).click();
    await page.keyboard.press("Escape");
  };
  await page.goto(`${here}/vouchers`);
  await turn("Category");
  await heading("Category").waitFor({ state: "detached" });
  await page.reload();
  await heading("Status").waitFor();
  expect(await heading("Category").count()).toBe(0);

  await page.goto(`${here}/vouchers?type=GIFT_VOUCHER&sort=code`);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Gift cards");
  await page.keyboard.press("Enter");
  const view = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Gift cards" });
  await view.and(page.locator("[aria-current=page]")).waitFor();
  expect(await page.getByRole("link", { name: "All", exact: true }).getAttribute("aria-current")).toBeNull();
  // What is chosen while it is shown is the view's, once it is saved.
  await turn("Ends");
  await heading("Ends").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
  await lookAt(page, "voucher-view");
  await page.getByRole("link", { name: "All", exact: true }).click();
  await heading("Ends").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "WELCOME10" }).waitFor();
  await view.click();
  await heading("Ends").waitFor();
  expect(await page.getByRole("row").count()).toBe(2);
  await page.getByRole("button", { name: "Actions for the view Gift cards" }).click();
  await page.getByRole("menuitem", { name: "Delete view" }).click();
  await view.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("a list is turned page by page, and what is selected is changed together", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  for (let i = 0; i < 52; i += 1)
    await api.post(`/v1/vouchers/CODE-${10 + i}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  const { page, here } = await aPageOf(installation);
  await page.goto(`${here}/vouchers?sort=code`);
  await page.getByRole("link", { name: "CODE-10" }).waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByRole("link", { name: "CODE-61" }).waitFor();
  expect(await page.getByRole("row").count()).toBe(3);
  await page.getByRole("button", { name: "First page" }).click();
  await page.getByRole("link", { name: "CODE-10" }).waitFor();

  const bar = page.getByRole("region", { name: "What is selected" });
  const confirm = (name: string) =>
    page.getByRole("dialog", { name }).getByRole("button", { name, exact: true }).click();
  await page.getByRole("link", { name: "CODE-10" }).focus();
  await page.keyboard.press("x");
  await page.getByLabel("Select CODE-11").check();
  await bar.getByText("2 selected").waitFor();
  await lookAt(page, "vouchers-selected");
  await bar.getByRole("button", { name: "Disable" }).click();
  await confirm("Disable 2 codes");
  await page.getByText("2 codes disabled").waitFor();
  const isOn = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body.active;
  expect(await Promise.all(["CODE-10", "CODE-11", "CODE-12"].map(isOn))).toEqual([false, false, true]);

  await page.getByLabel("Select CODE-10").check();
  await bar.getByRole("button", { name: "Select all 52" }).click();
  await bar.getByRole("button", { name: "Metadata" }).click();
  await page.getByLabel("Metadata to put into each").fill('{"wave": 7}');
  await confirm("Change metadata of 52 codes");
  await whileItWorks(installation, page.getByText("Metadata of 52 codes changed").waitFor());
  expect((await api.get("/v1/vouchers/CODE-61", 200)).body.metadata).toEqual({ wave: 7 });

  // Somebody else has deleted one of them meanwhile.
  await page.getByLabel("Select all rows of this page").check();
  await api.delete("/v1/vouchers/CODE-20?force=true", 204);
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByLabel("Delete for good").check();
  await lookAt(page, "vouchers-delete");
  await confirm("Delete 50 codes");
  await page.getByText("49 done, 1 left as they were").waitFor();
  await page.getByRole("row", { name: /CODE-20 / }).waitFor();
  await lookAt(page, "vouchers-left");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("link", { name: "CODE-60" }).waitFor();
  expect(await page.getByRole("row").count()).toBe(3);
  await api.post("/v1/vouchers/CODE-10", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
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
  await page.getByText("Nothing is called “no-such-thing”").waitFor({ state: "hidden" });
  await page.keyboard.press("/");
  await page.keyboard.insertText("GIFT-7KQM-X2TD");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /GIFT-7KQM-X2TD/, level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});
