import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation } from "./harness/service.js";

withBrowser();

test("a task is followed from its place in the queue to each row that was refused, and its report is loaded", async () => {
  const installation = await anInstallation();
  const { api, runDue } = installation;
  await api.post("/v1/vouchers/WELCOME10", { discount: { type: "AMOUNT", amount_off: 1_000 } }, 200);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/tasks`);
  await page.getByText("Nothing has run in the background yet").waitFor();
  const changes = ["WELCOME10", "NOBODY-MADE-IT"].map((code) => ({ code, metadata: { wave: 2 } }));
  await api.post("/v1/vouchers/bulk/async", changes, 202);
  await page.goto(`${here}/tasks`);
  await page.getByRole("row", { name: /Change of codes Waiting/ }).waitFor();
  await page.getByRole("link", { name: "Change of codes" }).click();
  await page.getByText("It has not ended yet").waitFor();
  await runDue();
  // The page asks by itself.
  await page.getByRole("row", { name: /NOBODY-MADE-IT/ }).waitFor();
  await page.getByText("Done, some refused").waitFor();
  await lookAt(page, "task");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Report as CSV" }).click(),
  ]);
  expect(await download.failure()).toBeNull();
  await page.goto(`${here}/tasks`);
  await page.getByRole("row", { name: /Change of codes Done/ }).waitFor();
  await lookAt(page, "tasks");
  expect(complaints).toEqual([]);
});

test("an export is asked for, followed until its file is there, loaded and deleted", async () => {
  const installation = await anInstallation();
  const { api, runDue } = installation;
  await api.post("/v1/vouchers/WELCOME10", { discount: { type: "AMOUNT", amount_off: 1_000 } }, 200);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/tasks/exports`);
  await page.getByText("Nothing was exported yet").waitFor();
  await page.getByRole("button", { name: "New export" }).click();
  const dialog = page.getByRole("dialog", { name: "New export" });
  await dialog.getByLabel("Objects").selectOption("Vouchers");
  await dialog.getByRole("button", { name: "Start export" }).click();
  await page.getByRole("row", { name: /Vouchers Waiting.*Dashboard/ }).waitFor();
  await runDue();
  await page.getByRole("row", { name: /Vouchers Ready/ }).waitFor();
  await lookAt(page, "exports");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download vouchers" }).click(),
  ]);
  expect(await download.failure()).toBeNull();
  await page.getByRole("button", { name: "Actions for the export of vouchers" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete this export" }).getByRole("button", { name: "Delete export" }).click();
  await page.getByText("Nothing was exported yet").waitFor();
  expect(complaints).toEqual([]);
});
