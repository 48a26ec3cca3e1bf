import { expect, test } from "vitest";
import { makingSampleShops } from "../../server/src/features/sample-shop/index.js";
import { sql } from "../../server/src/platform/db/sql.js";
import { openApart } from "../../server/src/second-phase.js";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation } from "./harness/service.js";

withBrowser();

test("a sample shop is made from the empty overview, opened, and taken away again", async () => {
  const installation = await anInstallation();
  const { context, url } = installation;
  const making = makingSampleShops(openApart)(context, {});
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/overview`);
  await page.getByText("Nothing has happened here yet").waitFor();
  await lookAt(page, "sample-shop-offer");
  await page.getByRole("button", { name: "Make a sample shop" }).click();
  await page.getByText("The shop lives through its ninety days: 0 %").waitFor();
  await making.step(context.clock.now());
  await making.step(context.clock.now());
  await page.getByText("The shop lives through its ninety days: 2 %").waitFor();
  await lookAt(page, "sample-shop-making");
  // The days between are lived in a test of the service.
  await context.db.run(sql`-- every project: there is one
    update sample_projects set days = 90`);
  await making.step(context.clock.now());
  await page.getByRole("link", { name: "Open the sample shop" }).click();

  await page.getByText("This is a sample shop: nothing in it is real.").waitFor();
  await page.getByText("compared with the 90 days before").waitFor();
  await lookAt(page, "sample-shop");
  await page.getByRole("link", { name: "Customers" }).click();
  await page
    .getByRole("row", { name: /crm-41/ })
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("button", { name: "Take the sample shop away" }).click();
  const dialog = page.getByRole("dialog", { name: "Take the sample shop away" });
  await dialog.getByRole("button", { name: "Take the sample shop away" }).click();
  await page.waitForURL(`${url}/p/${installation.project_id}/overview`);
  await page.getByRole("button", { name: "Make a sample shop" }).waitFor();
  expect(complaints).toEqual([]);
});

test("who may not make a sample shop is offered none", async () => {
  const { page, here, complaints } = await aPageOf(await anInstallation(), "VIEWER");
  await page.goto(`${here}/overview`);
  await page.getByText("Nothing needs attention").waitFor();
  expect(await page.getByText("Nothing has happened here yet").count()).toBe(0);
  expect(complaints).toEqual([]);
});
