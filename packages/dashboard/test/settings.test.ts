import { expect, test } from "vitest";
import { insertCustomRole } from "../../server/src/features/projects/custom-role.store.js";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation } from "./harness/service.js";

withBrowser();

test("a developer makes a key and copies a call that succeeds, on one page", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/settings/keys`);
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("Give it a name by which you will know it in logs.").waitFor();
  await dialog.getByLabel("Name").fill("Storefront");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Storefront is ready").waitFor();
  await lookAt(page, "keys");

  await page.getByRole("button", { name: "Copy curl" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [, url = ""] = /curl "([^"]+)"/.exec(copied) ?? [];
  const headers = Object.fromEntries(
    [...copied.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]),
  );
  expect((await fetch(url, { headers })).status).toBe(200);

  await page.getByRole("button", { name: "Actions for Storefront" }).click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  await page.getByRole("cell", { name: "Blocked" }).waitFor();
  expect((await fetch(url, { headers })).status).toBe(403);
  await page.getByRole("button", { name: "Actions for Storefront" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete Storefront" }).getByRole("button", { name: "Delete key" }).click();
  await page.getByRole("cell", { name: /^Storefront/ }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("an administrator adds somebody, and changes what they may do", async () => {
  const installation = await anInstallation();
  const { db, clock } = installation.context;
  const support = { id: "role_support", name: "Support desk", permissions: ["vouchers.read"], updated_at: null };
  await db.transaction((tx) => insertCustomRole(tx, { ...support, created_at: clock.now() }));
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/settings/members`);
  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog", { name: "Add member" });
  await dialog.getByLabel("E-mail").fill("jana@nordlicht.example");
  await dialog.getByLabel("First name").fill("Jana");
  await dialog.getByLabel("Last name").fill("Becker");
  await dialog.getByLabel("Role").selectOption("Support desk");
  await dialog.getByText("A role of your organization’s own").waitFor();
  await lookAt(page, "member-new");
  await dialog.getByRole("button", { name: "Add member" }).click();
  const row = page.getByRole("row", { name: /Jana Becker/ });
  await row.getByText("Invited").waitFor();
  await row.getByRole("cell", { name: "Support desk" }).waitFor();
  await page.getByRole("button", { name: "Actions for Jana Becker" }).click();
  await page.getByRole("menuitem", { name: "Make Viewer" }).click();
  await row.getByRole("cell", { name: "Viewer" }).waitFor();
  await page.getByRole("button", { name: "Actions for Jana Becker" }).click();
  await page.getByRole("menuitem", { name: "Make Support desk" }).click();
  await row.getByRole("cell", { name: "Support desk" }).waitFor();
  await lookAt(page, "members");
  expect(complaints).toEqual([]);
});

test("a viewer sees neither keys nor members, and is told who could show them", async () => {
  const installation = await anInstallation();
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/settings/keys`);
  await page.getByText("Your role does not show keys").waitFor();
  expect(await page.getByRole("link", { name: "Members" }).count()).toBe(0);
  await page.goto(`${here}/settings/members`);
  await page.getByText("Your role does not show members").waitFor();
});
