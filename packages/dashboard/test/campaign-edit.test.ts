import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const clashOn = (page: Page) => page.getByRole("dialog", { name: "Changed while you edited" });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

async function aCampaign({ api }: Installation): Promise<string> {
  const { body } = await api.post(
    "/v1/campaigns",
    {
      ...{ name: "Black Friday weeks", campaign_type: "DISCOUNT_COUPONS", type: "STATIC", vouchers_count: 3 },
      ...{ category: "Seasonal", description: "Two weeks", metadata: { owner: "Marta", budget: 5 } },
      voucher: { type: "DISCOUNT_VOUCHER", discount: { type: "PERCENT", percent_off: 20 } },
      ...{ start_date: "2024-11-06T00:00:00.123Z", expiration_date: "2044-12-01T22:59:59Z" },
    },
    200,
  );
  for (const other of ["Spring sale", `<b>${"long".repeat(40)}</b>`])
    await api.post("/v1/campaigns", { name: other, campaign_type: "PROMOTION", promotion: { tiers: [] } }, 200);
  return body.id as string;
}

test("a campaign is edited: only what was changed is sent, and what the service refuses is said at its field", async () => {
  const installation = await anInstallation();
  const { api, runDue } = installation;
  const id = await aCampaign(installation);
  await runDue();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/campaigns/${id}`);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("heading", { name: "Edit Black Friday weeks", level: 1 }).waitFor();
  expect(await page.getByLabel(/^Starts/).inputValue()).toBe("2024-11-06T00:00");
  expect(await page.getByLabel(/^Ends/).inputValue()).toBe("2044-12-01T22:59:59");

  await page.getByLabel(/^Ends/).fill("2023-01-01T00:00");
  await page.getByLabel(/^Only at these hours/).fill("nine to five");
  await save(page);
  await page.getByText("It would end before it starts.").waitFor();
  await page.getByText("“nine to five” is no span").waitFor();
  await lookAt(page, "campaign-edit-bad");
  await page.getByLabel(/^Ends/).fill("2045-01-31T23:59:59");
  await page.getByLabel(/^Only at these hours/).fill("09:00-17:00");
  for (const day of ["Monday", "Tuesday"]) await page.getByLabel(day).check();
  await page.getByLabel(/^On for/).fill("PT1H");
  await page.getByLabel(/^Every/).fill("P2D");
  await save(page);
  // What the service says no to is said at the field as well, and the keyboard stands there.
  await page.getByText("Property .validity_hours cannot be combined").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
  await page.getByLabel(/^Only at these hours/).fill("");
  await page.getByLabel(/^Every/).press("Enter");
  await page.getByRole("heading", { name: "Black Friday weeks", level: 1, exact: true }).waitFor();
  await page.getByText("PT1H every P2D").waitFor();
  expect((await api.get(`/v1/campaigns/${id}`, 200)).body).toMatchObject({
    // It was not touched, to the millisecond.
    ...{ start_date: "2024-11-06T00:00:00.123Z", expiration_date: "2045-01-31T23:59:59.000Z" },
    validity_day_of_week: [1, 2],
    validity_timeframe: { duration: "PT1H", interval: "P2D" },
    ...{ description: "Two weeks", category: "Seasonal" },
  });
  await installation.runDue();
  await page.getByRole("link", { name: "Edit" }).click();
  for (const label of [/^On for/, /^Every/]) await page.getByLabel(label).fill("");
  await page.getByLabel(/^Only at these hours/).fill("09:00-17:00 Mon tuesday\n18:00-20:00 Fri");
  for (const day of ["Monday", "Tuesday"]) await page.getByLabel(day).uncheck();
  await save(page);
  await page.getByText("09:00-17:00 Mon Tue, 18:00-20:00 Fri").waitFor();
  expect(complaints).toEqual([]);
});

test("two people edit one campaign: the second sees what the first changed, key by key of its metadata", async () => {
  const installation = await anInstallation();
  const { api, runDue } = installation;
  const id = await aCampaign(installation);
  await runDue();
  const [first, second] = [await aPageOf(installation), await aPageOf(installation)];
  for (const { page, here } of [first, second]) {
    await page.goto(`${here}/campaigns/${id}/edit`);
    await page.getByLabel(/^Description/).waitFor();
  }
  const { page } = second;
  await page.getByLabel(/^Description/).fill("Mine");
  await page.getByRole("textbox", { name: "Metadata" }).fill('{ "owner": "Marta", "budget": 9 }');
  await first.page.getByLabel(/^Description/).fill("Theirs");
  await first.page.getByLabel(/^Ends/).fill("2046-01-01T00:00");
  await first.page.getByRole("textbox", { name: "Metadata" }).fill('{ "owner": "Jana", "budget": 7 }');
  await save(first.page);
  await first.page.getByRole("heading", { name: "Black Friday weeks", level: 1, exact: true }).waitFor();
  await runDue();

  await save(page);
  const group = (name: string) => clashOn(page).getByRole("group", { name });
  await group("Description").getByRole("radio", { name: "Theirs Theirs" }).check();
  await group("Ends").getByRole("radio", { name: "Theirs 2046-01-01, 00:00" }).waitFor();
  await group("Metadata: owner").getByRole("radio", { name: 'Mine "Marta"' }).check();
  await group("Metadata: budget").getByText("It was: 5").waitFor();
  await lookAt(page, "campaign-edit-clash");
  await clashOn(page).getByRole("button", { name: "Save this" }).click();
  await page.getByRole("heading", { name: "Black Friday weeks", level: 1, exact: true }).waitFor();
  expect((await api.get(`/v1/campaigns/${id}`, 200)).body).toMatchObject({
    ...{ description: "Theirs", expiration_date: "2046-01-01T00:00:00.000Z", metadata: { owner: "Marta", budget: 9 } },
  });
  expect([...first.complaints, ...second.complaints]).toEqual([]);
});

test("campaigns are found by a part of their name, their category and whether they run; a viewer edits none", async () => {
  const installation = await anInstallation();
  const id = await aCampaign(installation);
  await installation.runDue();
  const { page, here } = await aPageOf(installation, "VIEWER");
  const names = page.getByRole("table").getByRole("link");
  await page.goto(`${here}/campaigns?find=Friday`);
  await names.first().waitFor();
  expect(await names.allInnerTexts()).toEqual(["Black Friday weeks"]);
  await page.goto(`${here}/campaigns`);
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitem", { name: "Disabled" }).click();
  await page.getByText("No campaign matches these filters").waitFor();
  await page.goto(`${here}/campaigns?status=active&category=Seasonal`);
  await expect.poll(() => names.count()).toBe(1);
  await lookAt(page, "campaigns-narrowed");
  await page.goto(`${here}/campaigns/${id}`);
  await page.getByRole("heading", { name: "Black Friday weeks", level: 1, exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0);
  await page.goto(`${here}/campaigns/${id}/edit`);
  await page.getByText("Your role does not show campaign").waitFor();
});
