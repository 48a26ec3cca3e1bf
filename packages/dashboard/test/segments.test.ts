import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const long = "long".repeat(125);
const hostile = `<img src=x onerror=alert(1)> ${"long".repeat(50)} שלום`;

async function aShop({ api }: Installation): Promise<string[]> {
  const ids = [];
  for (const [name, city, spent] of [
    ["Jana Becker", "Hamburg", 12_000],
    ["Tom Petersen", "Kiel", 4_000],
    ["Aylin Demir", "Hamburg", 900],
  ] as const) {
    const source_id = name.split(" ")[0] ?? "";
    ids.push((await api.post("/v1/customers", { name, source_id, address: { city } }, 200)).body.id);
    await api.post("/v1/orders", { customer: { source_id }, amount: spent, status: "PAID" }, 200);
  }
  return ids;
}

/** What is wrong has the focus once it has been said. */
const onTheFault = (page: Page) => page.waitForFunction(() => document.activeElement?.matches("[aria-invalid]"));

test("a segment is built with whom it holds in sight, by keyboard alone, then changed and deleted", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/segments`);
  await page.getByText("There are no segments yet").waitFor();
  await page.getByRole("link", { name: "New segment" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  // Never grey: what is missing is said at its field, which has the focus.
  await page.getByText("A segment needs a name").waitFor();
  await onTheFault(page);
  await page.keyboard.type("Hamburg, good buyers");
  const first = page.getByRole("group", { name: "Condition 1" });
  await first.getByLabel("Value").focus();
  await page.keyboard.type("Hamburg");
  await page.getByText("2 of 3 customers").waitFor();
  await page.getByRole("button", { name: "Add a condition" }).press("Enter");
  const second = page.getByRole("group", { name: "Condition 2" });
  expect(await second.getByLabel("About").evaluate((field) => field === document.activeElement)).toBe(true);
  await second.getByLabel("About").selectOption("Spent in all");
  await second.getByLabel("Holds when it").selectOption("is more than");
  await second.getByLabel("Value").fill("much");
  await page.getByRole("button", { name: "Create segment" }).press("Enter");
  await second.getByText("An amount in USD").waitFor();
  await onTheFault(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("99.90");
  await page.getByText("1 of 3 customers").waitFor();
  await page.getByText("Among them Jana Becker").waitFor();
  await lookAt(page, "segment-new");
  await second.getByLabel("Value").press("Tab");
  await page.getByRole("button", { name: "Create segment" }).press("Enter");

  await page.getByRole("heading", { name: "Hamburg, good buyers", level: 1 }).waitFor();
  await page.getByText("Spent in all is more than $99.90").waitFor();
  await page.getByRole("link", { name: "Jana Becker" }).waitFor();
  await lookAt(page, "segment");

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove condition 2" }).click();
  await page.getByText("2 of 3 customers").waitFor();
  await first.getByLabel("Value").fill(`Hamburg, "${long}"`);
  await page.getByLabel("Name", { exact: true }).fill(long);
  await page.getByRole("button", { name: "Save" }).click();
  // What the service says no to is said at the field as well.
  await page.getByText("Property .name must NOT have more than 255 characters").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Name", { exact: true }).fill(hostile);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Aylin Demir" }).waitFor();
  await lookAt(page, "segment-hostile");
  await page.getByRole("link", { name: "Segments" }).first().click();
  await page.getByRole("row", { name: /onerror.*City is Hamburg/ }).waitFor();
  await lookAt(page, "segments");
  await page.getByRole("link", { name: /onerror/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete segment" }).click();
  await page.getByText("There are no segments yet").waitFor();
  expect(complaints).toEqual([]);
});

test("a fixed list takes pasted names; what no condition says is edited as JSON, and what tells who enters stays", async () => {
  const installation = await anInstallation();
  const [jana = ""] = await aShop(installation);
  const { api } = installation;
  const near = { "address.line_1": { conditions: { $starts_with: ["Elb"] } } };
  await api.post("/v1/segments", { type: "passive", name: "Near", filter: { junction: "and", ...near } }, 200);
  const paid = { "summary.orders.total_count": { conditions: { $more_than: ["0"] } } };
  await api.post("/v1/segments", { type: "auto-update", name: "Paid", filter: { junction: "or", ...paid } }, 200);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/segments/new`);
  await page.getByLabel("Name", { exact: true }).fill("Panel");
  await page.getByLabel("Fixed list").check();
  await page.getByRole("textbox", { name: "Customers" }).fill(`${jana}\nTom, Nobody`);
  await page.getByText("Nobody is called Nobody").waitFor();
  await page.getByRole("button", { name: "Create segment" }).click();
  await page.getByRole("alert").filter({ hasText: "Nobody is called Nobody" }).waitFor();
  await page.getByRole("textbox", { name: "Customers" }).fill(`${jana}\nTom`);
  await page.getByRole("button", { name: "Create segment" }).click();
  await page.getByRole("heading", { name: "Panel", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Tom Petersen" }).waitFor();
  expect(await page.getByRole("link", { name: "Aylin Demir" }).count()).toBe(0);

  await page.goto(`${here}/segments`);
  await page.getByRole("link", { name: "Near" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Filter as JSON").fill('{"junction":"and","name":{"conditions":{"$like":["x"]}}}');
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").filter({ hasText: "should match either" }).waitFor();
  await page.getByLabel("Filter as JSON").fill('{"junction":"and","name":{"conditions":{"$contains":["Demir"]}}}');
  await page.getByRole("button", { name: "Edit as conditions" }).click();
  await page.getByText("1 of 3 customers").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Name contains Demir").waitFor();

  await page.goto(`${here}/segments?type=auto-update`);
  await page.getByRole("link", { name: "Paid" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByText("so they stay").waitFor();
  expect(complaints).toEqual([]);
});

test("a viewer sees segments and changes none", async () => {
  const installation = await anInstallation();
  await installation.api.post("/v1/segments", { type: "static", name: "Panel", customers: [] }, 200);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/segments`);
  await page.getByRole("link", { name: "Panel" }).click();
  await page.getByText("Nobody is in it at the moment").waitFor();
  expect(await page.getByRole("link", { name: /^(Edit|New segment)$/ }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await page.goto(`${here}/segments/new`);
  await page.getByText("Your role does not show").waitFor();
});
