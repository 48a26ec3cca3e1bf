import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, whileItWorks } from "./harness/service.js";

withBrowser();

const field = (page: Page, label: string) => page.getByRole("textbox", { name: new RegExp(`^${label}( optional)?$`) });
const next = (page: Page) => page.getByRole("button", { name: "Continue" }).click();
/** What the browser says of a request that was cut off. */
const isCutOff = (complaint: string) => complaint.includes("ERR_FAILED");

test("what is typed of a campaign is kept, and made once though no answer came", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/campaigns/new/coupons`);
  await field(page, "Name").fill("Welcome back");
  await field(page, "Code").fill("BACK");
  await page.getByText("Draft saved").waitFor();
  expect(page.url()).toContain("?draft=draft_");
  await next(page);
  await next(page);
  await field(page, "Percent off the order").fill("10");
  await field(page, "Order of at least").fill("20");
  // Within the second in which nothing was sent yet.
  await page.reload();
  expect(await field(page, "Percent off the order").inputValue()).toBe("10");
  await page.getByText("Draft saved").waitFor();
  await page.goto(`${here}/campaigns`);
  await page.getByRole("row", { name: /Welcome back Discount coupons/ }).waitFor();
  await lookAt(page, "campaign-drafts");
  await page.getByRole("link", { name: "Welcome back" }).click();
  await next(page);

  // The service has made it, and nobody was told.
  for (const made of ["validation-rules", "campaigns", "vouchers/BACK"]) {
    await page.route(`**/v1/${made}`, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.getByText(/service does not answer/).waitFor();
    // Before the page loads anew: what is under way while routes change may never be answered.
    await page.unroute(`**/v1/${made}`);
    await page.reload();
    await page.getByRole("heading", { name: "Welcome back" }).waitFor({ timeout: 30_000 });
  }
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByText("Welcome back created").waitFor();
  for (const list of ["validation-rules", "campaigns", "vouchers"])
    expect((await api.get(`/v1/${list}`, 200)).body.total, list).toBe(1);
  await page.goto(`${here}/campaigns`);
  await page.getByRole("row", { name: /Welcome back/ }).waitFor();
  expect(await page.getByRole("heading", { name: "Drafts" }).count()).toBe(0);
  expect(complaints.filter((one) => !isCutOff(one))).toEqual([]);
});

test("a campaign that was made and not told of is not there beside the one that is wanted instead", async () => {
  const installation = await anInstallation();
  const { page, here } = await aPageOf(installation);
  await page.goto(`${here}/campaigns/new/coupons`);
  await field(page, "Name").fill("Spring");
  await field(page, "Code").fill("SPRING");
  await next(page);
  await next(page);
  await field(page, "Percent off the order").fill("10");
  await next(page);
  await page.route("**/v1/campaigns", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByText(/service does not answer/).waitFor();
  await page.unroute("**/v1/campaigns");
  await page.getByRole("button", { name: "Change Discount and rules" }).click();
  await field(page, "Percent off the order").fill("15");
  await next(page);
  await page.getByRole("button", { name: "Create campaign" }).click();
  await whileItWorks(installation, page.getByText("Spring created").waitFor());
  const { campaigns, total } = (await installation.api.get("/v1/campaigns", 200)).body;
  expect([total, campaigns[0].voucher.discount.percent_off]).toEqual([1, 15]);
});

test("nothing is lost while the service is away, nor by an upgrade in the middle", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.route("**/dashboard/v1/drafts", (route) => route.abort());
  await page.goto(`${here}/campaigns/new/gift-cards`);
  await field(page, "Name").fill("Christmas");
  await page.getByText(/draft is not saved/).waitFor();
  await lookAt(page, "wizard-unsaved");
  await page.reload();
  expect(await field(page, "Name").inputValue()).toBe("Christmas");
  await page.unroute("**/dashboard/v1/drafts");
  await page.getByText("Draft saved").waitFor();

  // Another build stands there by now, until the page is loaded anew.
  let is_old = true;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) is_old = false;
  });
  await page.route(/\/assets\/list-.*\.js$/, (route) => (is_old ? route.fulfill({ status: 404 }) : route.continue()));
  await field(page, "How many").fill("7");
  await page.getByRole("link", { name: "Campaigns" }).first().click();
  await page.getByText(/Guerdon was updated/).waitFor();
  await page.getByRole("link", { name: "Christmas", exact: true }).click();
  expect(await field(page, "How many").inputValue()).toBe("7");
  await page.goto(`${here}/campaigns`);
  await page.getByRole("button", { name: "Throw away the draft “Christmas”" }).click();
  await page.getByText("There is no campaign yet").waitFor();
  await page.getByRole("heading", { name: "Drafts" }).waitFor({ state: "detached" });
  expect(complaints.filter((one) => !isCutOff(one) && !/dynamically imported module|ERR_|MIME/.test(one))).toEqual([]);
});
