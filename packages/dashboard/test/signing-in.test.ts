import { expect, test } from "vitest";
import { aPage, aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation } from "./harness/service.js";

withBrowser();

const password = "correct horse battery";

test("whoever follows the first link owns the installation, and signs in again by e-mail and password", async () => {
  const installation = await anInstallation();
  const { page, complaints } = await aPage();
  await page.goto(installation.welcome);
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  await lookAt(page, "welcome");

  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByText("12 characters at least; there are 0.").waitFor();
  await page.getByLabel("First name").fill("Ann");
  await page.getByLabel("Last name").fill("Lee");
  await page.getByLabel("E-mail").fill("ann@shop.example");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("link", { name: "Vouchers" }).waitFor();

  await page.getByRole("button", { name: "Ann Lee" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await lookAt(page, "sign-in");

  // Another site's address in a link of ours leads nowhere.
  await page.goto(`${installation.url}/sign-in?next=${encodeURIComponent("//evil.example/")}`);
  await page.getByLabel("E-mail").fill("ann@shop.example");
  await page.getByLabel("Password", { exact: true }).fill("not this one, no");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("E-mail or password is wrong.").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Vouchers" }).waitFor();
  expect(new URL(page.url()).origin).toBe(installation.url);

  await page.goto(`${installation.url}/me`);
  await page.getByLabel("Current password").fill("whatever it was");
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("This is not your current password.").waitFor();
  expect(complaints).toEqual([]);
});

test("a link that was followed already says how to get another", async () => {
  const installation = await anInstallation();
  const { page } = await aPage();
  await page.goto(`${installation.url}/welcome#no-such-token`);
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await page.getByText("npm run owner-link").waitFor();
});

test("whoever is not signed in is asked who they are, and then shown what they wanted to see", async () => {
  const installation = await anInstallation();
  const { page } = await aPage();
  await page.goto(`${installation.url}/p/${installation.project_id}/settings/general`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const next = new URL(page.url()).searchParams.get("next");
  expect(next).toBe(`/p/${installation.project_id}/settings/general`);
});

test("one's own name is changed where one stands", async () => {
  const installation = await anInstallation();
  const { page, complaints } = await aPageOf(installation);
  await page.goto(`${installation.url}/me`);
  await page.getByRole("heading", { name: "Your profile" }).waitFor();
  await lookAt(page, "me");
  await page.getByLabel("First name").fill("Berta");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Berta Kowalczyk" }).waitFor();
  expect(complaints).toEqual([]);
});

test("the colours that were chosen stay chosen, before the first paint", async () => {
  const installation = await anInstallation();
  const { page } = await aPageOf(installation);
  const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
  await page.goto(`${installation.url}/me`);
  await page.getByRole("button", { name: "Marta Kowalczyk" }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  expect(await scheme()).toBe("dark");
  await page.goto(`${installation.url}/me`, { waitUntil: "commit" });
  await page.waitForFunction(() => document.head !== null);
  expect(await scheme()).toBe("dark");
});
