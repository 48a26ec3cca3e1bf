import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const long = "long".repeat(55);

async function aShop({ api }: Installation): Promise<string> {
  const mug = {
    name: "Mug",
    source_id: "mug-1",
    price: 1_250,
    attributes: ["colour"],
    metadata: { fair: true, note: "<script>alert(1)</script>" },
  };
  const { id } = (await api.post("/v1/products", mug, 200)).body;
  for (const [sku, price] of [
    ["Red", 1_350],
    ["Blue", null],
  ])
    await api.post(
      `/v1/products/${id}/skus`,
      { sku, source_id: `mug-${sku}`, price, attributes: { colour: sku } },
      200,
    );
  await api.post("/v1/products", { name: `<b>${long}</b> שלום`, source_id: long, attributes: [long, long] }, 200);
  return id;
}

test("a product is found, shown with its SKUs, and edited; only what was changed is sent", async () => {
  const installation = await anInstallation();
  const id = await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/products`);
  await page.getByRole("row", { name: /Mug mug-1 colour .* 2 \$12.50/ }).waitFor();
  await lookAt(page, "products");
  await page.getByLabel("Id or source id, in full").fill("nothing");
  await page.keyboard.press("Enter");
  await page.getByText("No product has this id or source id").waitFor();
  await page.getByLabel("Id or source id, in full").fill("mug-1");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Mug" }).click();
  await page.getByRole("row", { name: /Blue .*As the product/ }).waitFor();
  await page.getByText("<script>alert(1)</script>").waitFor();
  await lookAt(page, "product");

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Price").fill("free");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("An amount in USD, or nothing").waitFor();
  await page.getByLabel("Price").fill("11.99");
  await page.getByLabel("Name").fill(`${long}${long}`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Property .name must NOT have more than 255 characters").waitFor();
  await page.getByLabel("Name").fill("Cup");
  await page.getByText("Property .name").waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Metadata" }).fill('{ "fair": true, "note": "none" }');
  await lookAt(page, "product-edit");
  // Meanwhile somebody else changes what this person leaves alone.
  await installation.api.put(`/v1/products/${id}`, { attributes: ["size"], metadata: { fair: false } }, 200);
  await page.getByRole("button", { name: "Save" }).click();
  const clash = page.getByRole("dialog", { name: "Changed while you edited" });
  await clash.getByRole("group", { name: "Metadata: fair" }).getByRole("radio", { name: "Theirs false" }).waitFor();
  expect(await clash.getByRole("group").count()).toBe(2);
  await clash.getByRole("button", { name: "Save this" }).click();
  await page.getByRole("heading", { name: "Cup", level: 1 }).waitFor();
  expect((await installation.api.get("/v1/products/mug-1", 200)).body).toMatchObject({
    ...{ name: "Cup", price: 1_199, attributes: ["size"], metadata: { fair: false, note: "none" } },
  });

  await page.getByRole("button", { name: "Actions for Blue" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Name").fill("Navy");
  await page.getByRole("textbox", { name: "Attributes" }).fill('{ "colour": "navy" }');
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("row", { name: /Navy .*colour: navy/ }).waitFor();
  expect(complaints).toEqual([]);
});

test("categories stand in their hierarchy, and are made, renamed and deleted", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/categories`);
  await page.getByText("There are no categories yet").waitFor();
  const make = async (name: string, hierarchy?: string) => {
    await page.getByRole("button", { name: "New category" }).press("Enter");
    await page.getByLabel("Name").fill(name);
    if (hierarchy !== undefined) await page.getByLabel("Hierarchy").fill(hierarchy);
    await page.keyboard.press("Enter");
  };
  await make("Season", "5");
  await page.getByRole("row", { name: /Season 5/ }).waitFor();
  await make(`<b>${long}</b>`);
  await page.getByRole("row", { name: /long.* 6/ }).waitFor();
  await make("Season", "low");
  await page.getByRole("dialog").getByText("A whole number from 0 on", { exact: true }).waitFor();
  await page.getByLabel("Hierarchy").fill("0");
  await page.keyboard.press("Enter");
  // The name is taken, which the service says.
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.getByLabel("Name").fill("First");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /First 0/ }).waitFor();
  expect((await page.getByRole("row").allInnerTexts())[1]).toContain("First");
  await lookAt(page, "categories");

  await page.getByRole("button", { name: "Actions for Season" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Name").fill("Seasons");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /Seasons 5/ }).waitFor();
  await page.getByRole("button", { name: "Actions for Seasons" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete category" }).click();
  await page.getByRole("row", { name: /Seasons/ }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("a viewer sees products and categories, and changes none", async () => {
  const installation = await anInstallation();
  const id = await aShop(installation);
  await installation.api.post("/v1/categories", { name: "Season", hierarchy: 0 }, 200);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/products/${id}`);
  await page.getByRole("row", { name: /Red/ }).waitFor();
  expect(await page.getByRole("button", { name: /^(Edit|Actions)/ }).count()).toBe(0);
  await page.goto(`${here}/categories`);
  await page.getByRole("row", { name: /Season/ }).waitFor();
  expect(await page.getByRole("button", { name: /^(New|Actions)/ }).count()).toBe(0);
});
