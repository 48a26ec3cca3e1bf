import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation } from "./harness/service.js";

withBrowser();

test("a property is defined and held to, removed, and its values are purged", async () => {
  const installation = await anInstallation();
  const { api, runDue } = installation;
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/settings/metadata`);
  await page.getByRole("table").getByRole("link", { name: "Customers" }).click();
  await page.getByText("Nothing is defined").waitFor();
  await page.getByRole("button", { name: "New property" }).click();
  const dialog = page.getByRole("dialog", { name: "New property" });
  await dialog.getByRole("button", { name: "Create property" }).click();
  await dialog.getByText("Give it a name.").waitFor();
  await dialog.getByLabel("Name").fill("sizes");
  await dialog.getByLabel("A list").check();
  await dialog.getByLabel("Allowed values").fill("S\nM\nL");
  await lookAt(page, "metadata-form");
  await dialog.getByRole("button", { name: "Create property" }).click();
  await page.getByRole("row", { name: /sizes List of texts one of S, M, L No/ }).waitFor();
  const refused = await api.post("/v1/customers", { source_id: "jana", metadata: { sizes: ["XL"] } }, 400);
  expect(refused.body.key).toBe("metadata_validation_failed");
  await api.post("/v1/customers", { source_id: "jana", metadata: { sizes: ["M"] } }, 200);

  const choose = async (deed: string) => {
    await page.getByRole("button", { name: "Actions for sizes" }).click();
    await page.getByRole("menuitem", { name: deed }).click();
  };
  await choose("Edit");
  const edit = page.getByRole("dialog", { name: "Edit sizes" });
  await edit.getByLabel("Required").check();
  await edit.getByRole("button", { name: "Save" }).click();
  await page.getByRole("row", { name: /sizes List of texts one of S, M, L Yes/ }).waitFor();
  await page.getByLabel("Refuse keys that are not defined here").check();
  await lookAt(page, "metadata");
  await choose("Remove");
  await page.getByText("sizes is checked no more").waitFor();

  await choose("Purge values");
  const purge = page.getByRole("dialog", { name: "Purge sizes" });
  await purge.getByLabel("Type sizes").fill("size");
  await purge.getByRole("button", { name: "Purge" }).click();
  await purge.getByText("This is not sizes.").waitFor();
  await purge.getByLabel("Type sizes").fill("sizes");
  await purge.getByRole("button", { name: "Purge" }).click();
  await page.getByRole("link", { name: "See how far it is" }).click();
  await page.getByRole("heading", { name: "Purge of customer metadata" }).waitFor();
  await runDue();
  await page.getByText("Purged sizes from 1 object.").waitFor();
  expect((await api.get("/v1/customers/jana", 200)).body.metadata).toEqual({});
  await page.goto(`${here}/settings/metadata`);
  await page.getByRole("row", { name: /Customers – 1 Refused/ }).waitFor();
  await lookAt(page, "metadata-objects");
  expect(complaints).toEqual([]);
});

test("a viewer sees what is defined, and changes nothing of it", async () => {
  const installation = await anInstallation();
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/settings/metadata/customer`);
  await page.getByText("Keys that are not defined here are kept as they come.").waitFor();
  expect(await page.getByRole("button", { name: /New property|Purge|Delete|Actions/ }).count()).toBe(0);
});
