import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const long = "long".repeat(60);
const off = (amount_off: number) => ({ discount: { type: "AMOUNT", amount_off } });

async function aShop({ api }: Installation) {
  const tiers = [
    { name: "Over 50", banner: "5 off", action: off(500), hierarchy: 2 },
    { name: "Over 100", action: off(1_500), hierarchy: 5 },
    { name: "Members", action: { discount: { type: "PERCENT", percent_off: 10 } }, hierarchy: 9 },
  ];
  const campaign = { name: "Autumn", campaign_type: "PROMOTION", promotion: { tiers } };
  const { promotion } = (await api.post("/v1/campaigns", campaign, 200)).body;
  const ids = promotion.tiers.map(({ id }: { id: string }) => id);
  const stack = { name: "Both", category: "Season", tiers: { ids: [ids[2], ids[0]] } };
  await api.post("/v1/promotions/Autumn/stacks", stack, 200);
  const hostile = [{ name: `<b>${long}</b>`, banner: `${long}${long} שלום`, action: off(100) }];
  const other = { name: `<i>Winter</i> ${long}`, campaign_type: "PROMOTION", promotion: { tiers: hostile } };
  await api.post("/v1/campaigns", other, 200);
}

const tiersOf = (page: Page) => page.getByRole("region", { name: "Tiers of Autumn" });
const orderIn = async (page: Page) =>
  (await tiersOf(page).getByRole("row").allInnerTexts()).flatMap((text) => /Over \d+|Members/.exec(text) ?? []);

test("tiers stand in their order, which is changed by dragging and by keyboard, and are switched at once", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  const stored = async () =>
    (await installation.api.get("/v1/promotions/Autumn/tiers", 200)).body.tiers.map(
      (one: { name: string }) => one.name,
    );
  await page.goto(`${here}/promotions`);
  await tiersOf(page).waitFor();
  expect(await orderIn(page)).toEqual(["Over 50", "Over 100", "Members"]);
  await page.getByRole("row", { name: /Both Season Members Over 50/ }).waitFor();
  await lookAt(page, "promotions");

  await page.getByRole("button", { name: "Move Members up" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Members is now 2 of 3").waitFor({ state: "attached" });
  // The focus went with the row.
  await page.keyboard.press("Enter");
  await page.getByText("Members is now 1 of 3").waitFor({ state: "attached" });
  await page.keyboard.press("Enter");
  await expect.poll(stored).toEqual(["Members", "Over 50", "Over 100"]);
  expect(await orderIn(page)).toEqual(["Members", "Over 50", "Over 100"]);

  const grip = tiersOf(page).locator("[data-grip]").first();
  const last = tiersOf(page).getByRole("row").last();
  const [from, to] = [await grip.boundingBox(), await last.boundingBox()];
  if (!from || !to) throw new Error("rows have a place");
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, to.y + to.height - 4, { steps: 5 });
  await page.mouse.up();
  await expect.poll(stored).toEqual(["Over 50", "Over 100", "Members"]);
  expect(await orderIn(page)).toEqual(["Over 50", "Over 100", "Members"]);

  await page.getByRole("button", { name: "Disable Over 100" }).click();
  await tiersOf(page)
    .getByRole("row", { name: /Over 100.*Disabled/ })
    .waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await tiersOf(page)
    .getByRole("row", { name: /Over 100.*Active/ })
    .waitFor();
  await installation.api.post("/v1/campaigns/Autumn/disable", undefined, 200);
  await page.reload();
  await tiersOf(page)
    .getByRole("row", { name: /Over 100.*Campaign is off/ })
    .waitFor();
  await page.getByLabel("Name of a campaign").fill("Autu");
  await page.keyboard.press("Enter");
  await page.getByText("1 promotion campaign", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("a viewer sees the order and changes none of it", async () => {
  const installation = await anInstallation();
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/promotions`);
  await page.getByText("There are no promotions yet").waitFor();
  await aShop(installation);
  await page.reload();
  await tiersOf(page).waitFor();
  expect(await orderIn(page)).toHaveLength(3);
  expect(await tiersOf(page).getByRole("button").count()).toBe(0);
});
