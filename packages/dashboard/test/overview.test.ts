import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

/** Two campaigns of which codes were redeemed, refused and rolled back. */
async function someDays({ api, context, runDue }: Installation): Promise<void> {
  const discount = { type: "PERCENT", percent_off: 20 };
  const soon = new Date(context.clock.now() + 6 * 86_400_000).toISOString();
  const voucher = { type: "DISCOUNT_VOUCHER", discount };
  await api.post("/v1/campaigns", { name: "Black Friday weeks", voucher, expiration_date: soon }, 200);
  await api.post("/v1/campaigns", { name: "Welcome 10", voucher }, 200);
  await api.post("/v1/campaigns/Black%20Friday%20weeks/vouchers/BF26", {}, 200);
  await api.post("/v1/campaigns/Welcome%2010/vouchers/WELCOME10", { redemption: { quantity: 1 } }, 200);
  const redeem = (code: string, amount: number, status = 200) =>
    api.post(`/v1/vouchers/${code}/redemption`, { order: { amount } }, status);
  for (const amount of [8_250, 12_000, 4_999]) await redeem("BF26", amount);
  const { body } = await redeem("WELCOME10", 10_000);
  await redeem("WELCOME10", 10_000, 400);
  await redeem("NEVER", 10_000, 404);
  await api.post(`/v1/redemptions/${body.id}/rollback`, {}, 200);
  await api.post("/v1/customers", { source_id: "crm-41877", name: "Jana Becker" }, 200);
  await runDue();
}

test("whoever signs in sees how the project is doing, and stops what does not work in two clicks", async () => {
  const installation = await anInstallation();
  await someDays(installation);
  const { page, complaints } = await aPageOf(installation);
  await page.goto(installation.url);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  const tile = (name: string) => page.getByRole("region", { name });
  await tile("Total redemptions").getByText("4", { exact: true }).waitFor();
  expect(await tile("Total redemptions").innerText()).toContain("1 rolled back");
  // A fifth of 8,250, 12,000, 4,999 and 10,000.
  expect(await tile("Revenue impact").first().innerText()).toMatch(/\$70\.50[\s\S]*on \$352\.49 of orders/);
  expect(await tile("Active campaigns").innerText()).toMatch(/2[\s\S]*1 ending within 7 days/);
  expect(await tile("New customers").innerText()).toContain("1");
  expect(await tile("Needs attention").innerText()).toContain("Campaigns ending: 1");
  const why = (await tile("Why codes were refused").innerText()).replace(/\s+/g, " ");
  expect(why).toContain("2 attempts");
  for (const words of ["Code already used 1", "Unknown code 1"]) expect(why).toContain(words);
  const top = tile("Top campaigns").first();
  expect((await top.getByRole("row").nth(1).innerText()).replace(/\s+/g, " ")).toMatch(/^Black Friday weeks 3 100 %/);
  await lookAt(page, "overview");

  const clicks = await clicksOn(page);
  await top.getByRole("link", { name: "Welcome 10" }).click();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Welcome 10 disabled").waitFor();
  expect(await clicks()).toBe(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Welcome 10 enabled").waitFor();
  expect(complaints).toEqual([]);
});

test("a chart is read by arrow keys and as a table, and the address holds how much of the past it shows", async () => {
  const installation = await anInstallation();
  await someDays(installation);
  const { page, here, complaints } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/overview?window=7d`);
  const chart = page.getByRole("slider", { name: /^Redemption trends/ });
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  expect(await chart.getAttribute("aria-valuetext")).toMatch(/, Succeeded 4, Failed 2$/);
  await lookAt(page, "overview-7d");
  await chart.focus();
  await page.keyboard.press("Home");
  expect(await chart.getAttribute("aria-valuetext")).toMatch(/, Succeeded 0, Failed 0$/);
  await page.getByRole("button", { name: "As table" }).click();
  const rows = page.getByRole("region", { name: "Redemption trends" }).getByRole("row");
  expect(await rows.nth(1).innerText()).toMatch(/4\s+2 · 33 %$/);

  await page.getByRole("link", { name: "24 h", exact: true }).click();
  await page.getByText("compared with the 24 hours before").waitFor();
  await expect.poll(() => rows.count()).toBe(25);
  expect(new URL(page.url()).search).toBe("?window=24h");
  await page.goBack();
  await page.getByText("compared with the 7 days before").waitFor();
  expect(complaints).toEqual([]);
});

test("of a project in which nothing has happened yet the overview says so", async () => {
  const { page, here, complaints } = await aPageOf(await anInstallation());
  await page.goto(`${here}/overview`);
  await page.getByText("Nothing needs attention").waitFor();
  await page.getByText("Nothing was refused in this time").waitFor();
  await page.getByText("No code of a campaign was redeemed in this time").waitFor();
  await lookAt(page, "overview-none");
  expect(complaints).toEqual([]);
});
