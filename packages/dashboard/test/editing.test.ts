import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { aBrowser, anInstallation } from "./harness/service.js";

withBrowser();

const hostile = `<img src=x onerror=alert(1)> ${"long".repeat(40)} שלום`;
const clashOn = (page: Page) => page.getByRole("dialog", { name: "Changed while you edited" });
const choice = (page: Page, part: string) => clashOn(page).getByRole("group", { name: part });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

test("whoever saves second sees what the first changed, beside their own, before anything is lost", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  const rules = { "1": { name: "order.amount", conditions: { $more_than: [10_000] } }, logic: "1" };
  const { id } = (await api.post("/v1/validation-rules", { name: "Big orders", rules }, 200)).body;
  const first = await aPageOf(installation);
  const second = await aPageOf(installation);
  for (const { page, here } of [first, second]) {
    await page.goto(`${here}/rules/${id}/edit`);
    await page.getByLabel("Name", { exact: true }).waitFor();
  }
  const { page } = second;
  await page.getByLabel("Name", { exact: true }).fill("Orders from 150");
  await page.getByLabel("Value").fill("150.00");
  await first.page.getByLabel("Name", { exact: true }).fill(hostile);
  await first.page.getByLabel(/^If it does not apply/).fill("Buy more");
  await save(first.page);
  await first.page.getByRole("heading", { level: 1, name: /onerror/ }).waitFor();

  await save(page);
  await choice(page, "Name").getByText("It was: Big orders").waitFor();
  await choice(page, "Name").getByRole("radio", { name: "Mine Orders from 150" }).waitFor();
  expect(await choice(page, "Name").getByRole("radio", { name: /^Mine/ }).isChecked()).toBe(true);
  // What the second did not touch is theirs unless somebody says so.
  const message = clashOn(page).getByRole("group").nth(1);
  expect(await message.getByRole("radio", { name: "Theirs Buy more" }).isChecked()).toBe(true);
  expect(await clashOn(page).getByRole("group").count()).toBe(2);
  await lookAt(page, "editing-clash");

  // Nothing is saved, and nothing typed is lost, by going back.
  await page.keyboard.press("Escape");
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Orders from 150");
  expect((await api.get(`/v1/validation-rules/${id}`, 200)).body.name).toBe(hostile);

  // By keyboard: theirs in all, back to mine for the name, and save.
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await clashOn(page).getByRole("button", { name: "Take all of theirs" }).press("Enter");
  await choice(page, "Name")
    .getByRole("radio", { name: /^Theirs/ })
    .press("ArrowDown");
  await clashOn(page).getByRole("button", { name: "Save this" }).press("Enter");
  await page.getByRole("heading", { name: "Orders from 150", level: 1 }).waitFor();
  expect((await api.get(`/v1/validation-rules/${id}`, 200)).body).toMatchObject({
    name: "Orders from 150",
    rules: { "1": { conditions: { $more_than: [15_000] } } },
    error: { message: "Buy more" },
  });
  expect([...first.complaints, ...second.complaints]).toEqual([]);
});

test("segments, categories, webhooks and properties are edited the same way, and a third hand is seen as well", async () => {
  const installation = await anInstallation();
  const { api, project_id } = installation;
  const { page, here, complaints } = await aPageOf(installation);
  const { value } = await installation.cookieOf("ADMIN");
  const other = aBrowser(installation, project_id, value);
  const named = (words: string) => ({ junction: "and", name: { conditions: { $contains: [words] } } });
  const segment = { type: "passive", name: "Near", filter: named("a") };
  const { id } = (await api.post("/v1/segments", segment, 200)).body;
  await page.goto(`${here}/segments/${id}/edit`);
  await page.getByLabel("Value").fill("b");
  await other.put(`/dashboard/v1/segments/${id}`, { filter: named("c") }, 200);
  await save(page);
  await choice(page, "Conditions").getByText("Name contains c").waitFor();
  await other.put(`/dashboard/v1/segments/${id}`, { filter: named("d") }, 200);
  await clashOn(page).getByRole("button", { name: "Save this" }).click();
  await choice(page, "Conditions").getByText("Name contains d").waitFor();
  await choice(page, "Conditions").getByText("Name contains b").waitFor();
  await clashOn(page).getByRole("button", { name: "Keep all of mine" }).click();
  await clashOn(page).getByRole("button", { name: "Save this" }).click();
  await page.getByText("Name contains b").waitFor();

  const category = (await api.post("/v1/categories", { name: "Season", hierarchy: 3 }, 200)).body;
  await page.goto(`${here}/categories`);
  await page.getByRole("button", { name: "Actions for Season" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Name").fill("Seasons");
  await api.put(`/v1/categories/${category.id}`, { name: "Season", hierarchy: 7 }, 200);
  await save(page);
  await choice(page, "Hierarchy").getByRole("radio", { name: "Theirs 7" }).waitFor();
  await lookAt(page, "editing-clash-over-dialog");
  await clashOn(page).getByRole("button", { name: "Save this" }).click();
  await page.getByRole("row", { name: /Seasons 7/ }).waitFor();

  const webhooks = `/management/v1/projects/${project_id}/webhooks`;
  const target_url = "https://shop.example/hook";
  const webhook = (await other.post(webhooks, { target_url, events: ["customer.created"] }, 200)).body;
  await page.goto(`${here}/webhooks`);
  await page.getByRole("button", { name: `Actions for ${target_url}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Address").fill(`${target_url}/mine`);
  const events = ["customer.created", "customer.deleted"];
  await other.put(`${webhooks}/${webhook.id}`, { target_url: `${target_url}/theirs`, events }, 200);
  await save(page);
  await choice(page, "customer.deleted").getByRole("radio", { name: "Theirs On" }).waitFor();
  await choice(page, "Address").waitFor();
  await clashOn(page).getByRole("button", { name: "Save this" }).click();
  await page
    .getByRole("row", { name: `${target_url}/mine` })
    .getByText("2 events")
    .waitFor();

  const schemas = `/management/v1/projects/${project_id}/metadata-schemas`;
  await page.goto(`${here}/settings/metadata/product`);
  await page.getByRole("button", { name: "New property" }).click();
  await page.getByLabel("Name").fill("season");
  await page.getByLabel("Required").check();
  const definition = { type: "number", array: false, optional: true, deleted: false };
  await other.post(schemas, { related_object: "product", properties: { season: definition } }, 200);
  await page.getByRole("button", { name: "Create property" }).click();
  await choice(page, "Type").getByRole("radio", { name: "Theirs Number" }).check();
  await clashOn(page).getByRole("button", { name: "Save this" }).click();
  await page.getByRole("row", { name: /season Number Yes/ }).waitFor();
  expect(complaints).toEqual([]);
});
