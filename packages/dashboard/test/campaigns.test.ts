import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation, whileItWorks } from "./harness/service.js";

withBrowser();

/** Types into a field as people do, who press it first. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: new RegExp(`^${label}( optional)?$`) }).click();
  await page.keyboard.insertText(text);
}

const next = (page: Page) => page.getByRole("button", { name: "Continue" }).click();

/** Campaigns of every state in a shop before Christmas. */
async function aShop({ api }: Installation): Promise<string> {
  const percent = { type: "DISCOUNT_VOUCHER", discount: { type: "PERCENT", percent_off: 20, amount_limit: 5_000 } };
  const coupons = { campaign_type: "DISCOUNT_COUPONS", type: "STATIC" };
  const { body } = await api.post(
    "/v1/campaigns",
    {
      ...coupons,
      name: "Black Friday weeks",
      category: "Seasonal",
      description: "Two weeks for everybody who reads the newsletter",
      vouchers_count: 25,
      voucher: { ...percent, redemption: { quantity: 1 }, code_config: { pattern: "BF-####-####" } },
      start_date: "2024-11-06T00:00:00Z",
      expiration_date: "2044-12-01T00:00:00Z",
    },
    200,
  );
  const others = [
    { name: "Cyber Monday early access", start_date: "2036-11-29T00:00:00Z", expiration_date: "2036-12-01T00:00:00Z" },
    { name: "Spring B2B", expiration_date: "2024-05-31T00:00:00Z" },
  ];
  for (const other of others)
    await api.post("/v1/campaigns", { ...coupons, ...other, vouchers_count: 1, voucher: percent }, 200);
  const cards = { type: "GIFT_VOUCHER", gift: { amount: 5_000 } };
  await api.post(
    "/v1/campaigns",
    { name: "Gift cards", campaign_type: "GIFT_VOUCHERS", type: "STATIC", vouchers_count: 2, voucher: cards },
    200,
  );
  return body.id as string;
}

test("10 % for one code, carts from 100.00 and once per customer is made with at most 16 clicks", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/campaigns`);
  await page.getByText("There is no campaign yet").waitFor();
  await lookAt(page, "campaigns-none");
  const clicks = await clicksOn(page);
  await page.getByRole("link", { name: "New campaign" }).click();
  await page.getByRole("link", { name: /^Coupons/ }).click();
  await type(page, "Name", "Welcome 10");
  await type(page, "Code", "WELCOME10");
  await next(page);
  await next(page);
  await type(page, "Percent off the order", "10");
  await type(page, "Order of at least", "100.00");
  const trial = page.getByRole("region", { name: "Try it" });
  await trial.getByText("$112.50 to pay, $12.50 off").waitFor();
  await trial.getByRole("button", { name: "Order of $99.99 does not apply" }).waitFor();
  await trial.getByRole("button", { name: /^Order of \$100\.00 − \$10\.00/ }).waitFor();
  await page.getByLabel("Once per customer").click();
  await trial.getByText("the customer has not redeemed it before").waitFor();
  await trial.getByText("$112.50 to pay, $12.50 off").waitFor();
  await lookAt(page, "wizard-try");
  await page
    .getByText("Customers get 10 % off the order, when the order is at least $100.00, and only once each.")
    .first()
    .waitFor();
  await next(page);
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByText("Welcome 10 created").waitFor();
  expect(await clicks()).toBeLessThanOrEqual(16);

  const { api } = installation;
  const tryIt = (amount: number) =>
    api.post("/v1/redemptions", {
      redeemables: [{ object: "voucher", id: "WELCOME10" }],
      customer: { source_id: "crm-41877" },
      order: { amount },
    });
  expect((await tryIt(9_999)).status).toBe(400);
  const { body } = await tryIt(10_000);
  expect(body.redemptions[0].order.total_discount_amount).toBe(1_000);
  expect((await tryIt(10_000)).status).toBe(400);
  await page
    .getByText("1 code", { exact: true })
    .or(page.getByRole("link", { name: "See codes" }))
    .first()
    .waitFor();
  await lookAt(page, "campaign-generic");
  expect(complaints).toEqual([]);
});

test("a campaign is seen in the list and in its detail, and stopped from there in two clicks", async () => {
  const installation = await anInstallation();
  const id = await aShop(installation);
  await installation.runDue();
  const { page, here, complaints } = await aPageOf(installation);
  const [{ code }] = (await installation.api.get(`/v1/vouchers?campaign_id=${id}&limit=1`, 200)).body.vouchers;
  const redeemables = [{ object: "voucher", id: code }];
  await installation.api.post("/v1/redemptions", { redeemables, order: { amount: 8_250 } }, 200);
  await installation.runDue();
  await page.goto(`${here}/campaigns`);
  const row = page.getByRole("row", { name: /Black Friday weeks/ });
  await row.getByText("25 codes").waitFor();
  await row.getByText("Active").waitFor();
  await page
    .getByRole("row", { name: /Cyber Monday/ })
    .getByText("Scheduled")
    .waitFor();
  await page
    .getByRole("row", { name: /Spring B2B/ })
    .getByText("Expired")
    .waitFor();
  await page.getByLabel("Select Cyber Monday early access").check();
  await page.getByLabel("Select Spring B2B").check();
  await lookAt(page, "campaigns");
  await page.getByRole("region", { name: "What is selected" }).getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable 2 campaigns" }).click();
  await page.getByText("2 campaigns disabled").waitFor();
  const off = (await installation.api.get("/v1/campaigns?limit=10", 200)).body.campaigns.filter(
    (campaign: { active: boolean }) => !campaign.active,
  );
  expect(off.map(({ name }: { name: string }) => name).sort()).toEqual(["Cyber Monday early access", "Spring B2B"]);
  const clicks = await clicksOn(page);
  await row.getByRole("link", { name: "Black Friday weeks" }).click();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Black Friday weeks disabled").waitFor();
  expect(await clicks()).toBe(2);
  const isActive = async () => (await installation.api.get(`/v1/campaigns/${id}`, 200)).body.active;
  expect(await isActive()).toBe(false);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Black Friday weeks enabled").waitFor();
  expect(await isActive()).toBe(true);
  await page.getByText("100 % of attempts").waitFor();
  await lookAt(page, "campaign");
  expect(complaints).toEqual([]);
});

test("codes for each customer are made by the wizard and are a file one click later", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/campaigns/new/coupons`);
  await next(page);
  await page.getByText("Give it a name.").waitFor();
  await lookAt(page, "wizard-details-bad");
  await type(page, "Name", "Newsletter sign-up");
  await page.getByLabel("A code for each customer").click({ force: true });
  await page.getByLabel("How many").fill("40");
  await page.getByLabel("Pattern").fill("NEWS-######");
  await lookAt(page, "wizard-details");
  await next(page);
  await page.getByLabel("First day").fill("2026-11-06");
  await page.getByLabel("Last day").fill("2044-12-01");
  await lookAt(page, "wizard-runs");
  await next(page);
  await next(page);
  await page.getByText("A number above 0, up to 100.").waitFor();
  await type(page, "Percent off the order", "15");
  await lookAt(page, "wizard-gives");
  await next(page);
  await page.getByRole("button", { name: "Change Details" }).waitFor();
  await lookAt(page, "wizard-summary");
  await page.getByRole("button", { name: "Create campaign" }).click();
  const can_export = page.getByRole("button", { name: "Export codes" });
  await whileItWorks(installation, can_export.waitFor());
  const downloading = page.waitForEvent("download");
  await can_export.click();
  const download = await whileItWorks(installation, downloading);
  const lines = (await readFile(await download.path(), "utf8")).trim().split(/\r?\n/);
  expect(lines.filter((line) => /NEWS-[0-9A-Za-z]{6}/.test(line))).toHaveLength(40);
  await page.getByRole("link", { name: "Download CSV" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a step cannot be jumped over while something in it is wrong, and a code that is taken is said to be", async () => {
  const installation = await anInstallation();
  await installation.api.post("/v1/vouchers/TAKEN", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/campaigns/new/coupons`);
  await type(page, "Name", "Second thoughts");
  await type(page, "Code", "TAKEN");
  await page.getByRole("button", { name: /Summary/ }).click();
  await page.getByText("A number above 0, up to 100.").waitFor();
  await type(page, "Percent off the order", "10");
  await next(page);
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByText("There is a code TAKEN already").waitFor();
  expect((await installation.api.get("/v1/campaigns", 200)).body.total).toBe(0);
  await page.getByRole("button", { name: "Change Details" }).click();
  await page.getByRole("textbox", { name: "Code", exact: true }).fill("FREE-TO-TAKE");
  await page.getByRole("button", { name: /Summary/ }).click();
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByText("Second thoughts created").waitFor();
  expect((await installation.api.get("/v1/campaigns", 200)).body.total).toBe(1);
  expect(complaints).toEqual([]);
});

test("a campaign applies by a rule that is there already", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  const rules = { "1": { name: "order.items.count", conditions: { $more_than_or_equal: [3] } }, logic: "1" };
  const { id } = (await api.post("/v1/validation-rules", { name: "Three or more", rules }, 200)).body;
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/campaigns/new/coupons`);
  await type(page, "Name", "Bundles of three");
  await type(page, "Code", "THREE");
  await next(page);
  await next(page);
  await type(page, "Percent off the order", "10");
  await type(page, "Order of at least", "nothing");
  await page.getByLabel(/^Saved rule/).selectOption("Three or more");
  // What was typed below it is not asked any more.
  expect(await page.getByLabel(/^Order of at least/).count()).toBe(0);
  const sentence = "Customers get 10 % off the order. Applies when the number of items is at least 3.";
  await page.getByText(sentence).waitFor();
  await lookAt(page, "wizard-rule");
  await next(page);
  await page.getByText(sentence).waitFor();
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByText("Bundles of three created").waitFor();
  const { data } = (await api.get(`/v1/validation-rules/${id}/assignments`, 200)).body;
  expect(data).toMatchObject([{ related_object_type: "campaign" }]);
  expect((await api.get("/v1/validation-rules", 200)).body.total).toBe(1);
  expect(complaints).toEqual([]);
});

test("gift cards are asked for by their value", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/campaigns/new`);
  await page.getByRole("link", { name: /^Gift cards/ }).waitFor();
  await lookAt(page, "campaign-new");
  await page.getByRole("link", { name: /^Gift cards/ }).click();
  await type(page, "Name", "Christmas cards");
  await page.getByLabel("How many").fill("3");
  await next(page);
  await next(page);
  await type(page, "Value of each card", "50");
  await next(page);
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByText("Christmas cards created").waitFor();
  await whileItWorks(installation, page.getByRole("button", { name: "Export codes" }).waitFor());
  const { body } = await installation.api.get("/v1/vouchers?campaign=Christmas%20cards", 200);
  expect(body.vouchers.map(({ gift }: { gift: { balance: number } }) => gift.balance)).toEqual([5_000, 5_000, 5_000]);
  expect(complaints).toEqual([]);
});

test("a viewer sees campaigns and nothing that would change them; one that nobody made is said to be none", async () => {
  const installation = await anInstallation();
  const id = await aShop(installation);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/campaigns`);
  await page.getByRole("link", { name: "Black Friday weeks" }).waitFor();
  expect(await page.getByRole("link", { name: "New campaign" }).count()).toBe(0);
  await page.goto(`${here}/campaigns/${id}`);
  await page.getByRole("heading", { name: "Black Friday weeks", level: 1 }).waitFor();
  expect(await page.getByRole("button", { name: "Disable" }).count()).toBe(0);
  for (const path of ["new", "new/coupons"]) {
    await page.goto(`${here}/campaigns/${path}`);
    await page.getByText("Your role does not show new campaign").waitFor();
    expect(await page.getByRole("button", { name: "Continue" }).count()).toBe(0);
  }
  await page.goto(`${here}/campaigns/camp_nobody`);
  await page.getByText("Campaign could not be loaded").waitFor();
});
