import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation } from "./harness/service.js";

withBrowser();

test("letters lead to every section, to what is new, from row to row, and can be switched off", async () => {
  const installation = await anInstallation();
  for (const code of ["FIRST", "SECOND", "THIRD"]) {
    await installation.api.post(`/v1/vouchers/${code}`, { discount: { type: "PERCENT", percent_off: 20 } }, 200);
    installation.advance({ ms: 1_000 });
  }
  const { page, here, complaints } = await aPageOf(installation);
  const { keyboard } = page;
  await page.goto(`${here}/overview`);
  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.waitFor();

  await keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByText("Next row").waitFor();
  await lookAt(page, "keys");
  const told = await keys.locator("dt").allTextContents();
  const names = await sections.getByRole("link").allTextContents();
  const letters = told.filter((one) => /^g.$/.test(one));
  expect(new Set(letters).size).toBe(names.length);
  await keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });

  for (const [i, name] of names.entries()) {
    for (const key of letters[i] ?? "") await keyboard.press(key);
    await sections.locator('a[aria-current="page"]', { hasText: name }).waitFor();
  }
  // A letter that leads nowhere, and one that comes too late, do nothing.
  await keyboard.press("z");
  await keyboard.press("v");
  expect(page.url()).toContain("/settings/");

  for (const key of "gv") await keyboard.press(key);
  await page.getByRole("link", { name: "THIRD" }).waitFor();
  for (const key of "jjjjk") await keyboard.press(key);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "SECOND" }).waitFor();

  for (const key of "gr") await keyboard.press(key);
  await page.getByRole("link", { name: "New rule" }).waitFor();
  await keyboard.press("c");
  await page.waitForURL(/rules\/new/);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("");
  await name.pressSequentially("gc jk?");
  expect(await name.inputValue()).toBe("gc jk?");
  await name.fill("");
  await page.goto(`${here}/vouchers`);
  await page.getByRole("link", { name: "THIRD" }).waitFor();

  await keyboard.press("?");
  await page.getByLabel("Letters are keys").uncheck();
  await keyboard.press("Escape");
  for (const key of "gcj") await keyboard.press(key);
  await page.reload();
  await page.getByRole("link", { name: "THIRD" }).waitFor();
  for (const key of "gcj") await keyboard.press(key);
  expect(page.url()).toMatch(/\/vouchers$/);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  await keyboard.press("?");
  await keys.waitFor();
  expect(complaints).toEqual([]);
});
