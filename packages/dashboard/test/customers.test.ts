import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const jana = {
  source_id: "crm-41877",
  name: "Jana Becker",
  email: "jana.becker@post.example",
  phone: "+49 40 5550199",
  address: { line_1: "Elbchaussee 12", postal_code: "22605", city: "Hamburg", country: "DE" },
  metadata: { locale: "de-DE", newsletter: true },
};

/** Somebody with a coupon, a gift card and a loyalty card, who redeemed and was refused; and others. */
async function aShop({ api, runDue }: Installation): Promise<string> {
  const { id } = (await api.post("/v1/customers", jana, 200)).body;
  for (const [name, city] of [
    ["Tom Petersen", "Kiel"],
    ["Aylin Demir", "Berlin"],
    ["Ole Hansen", "Hamburg"],
  ] as const)
    await api.post("/v1/customers", { name, address: { city }, email: `${name.split(" ")[0]}@post.example` }, 200);
  await api.post("/v1/segments", { type: "static", name: "Newsletter", customers: [id] }, 200);
  const percent = { discount: { type: "PERCENT", percent_off: 20, amount_limit: 5_000 } };
  const coupons = { name: "Black Friday weeks", campaign_type: "DISCOUNT_COUPONS" };
  await api.post("/v1/campaigns", { ...coupons, voucher: { type: "DISCOUNT_VOUCHER", ...percent } }, 200);
  const program = {
    name: "Kaffee-Klub",
    campaign_type: "LOYALTY_PROGRAM",
    voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 320 }, code_config: { pattern: "KLUB-####" } },
  };
  await api.post("/v1/loyalties", program, 200);
  const customer = { source_id: jana.source_id };
  await api.post("/v1/loyalties/Kaffee-Klub/members", { customer }, 200);
  await api.post("/v1/vouchers/BF26-7KQM-X2TD", { ...percent, redemption: { quantity: 3 } }, 200);
  await api.post("/v1/vouchers/GIFT-7KQM-X2TD", { type: "GIFT_VOUCHER", gift: { amount: 5_000 } }, 200);
  for (const voucher of ["BF26-7KQM-X2TD", "GIFT-7KQM-X2TD"])
    await api.post("/v1/publications", { voucher, customer }, 200);
  await api.post("/v1/vouchers/SPRING-9", { ...percent, expiration_date: "2024-12-01T00:00:00Z" }, 200);
  const redeem = (code: string, order: object, status: number) =>
    api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order, customer }, status);
  await redeem("SPRING-9", { amount: 4_000 }, 400);
  await redeem("BF26-7KQM-X2TD", { source_id: "ord-204817", amount: 8_250, status: "PAID" }, 200);
  await runDue();
  return id;
}

test("customers are found by what they are called, where they live and which segment holds them", async () => {
  const installation = await anInstallation();
  await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/customers`);
  await page.getByRole("link", { name: "Jana Becker" }).waitFor();
  await lookAt(page, "customers");
  expect(await page.getByRole("row").count()).toBe(5);

  await page.getByRole("button", { name: "Segment" }).click();
  await page.getByRole("menuitem", { name: "Newsletter" }).click();
  await page.getByRole("link", { name: "Tom Petersen" }).waitFor({ state: "detached" });
  expect(await page.getByRole("row").count()).toBe(2);
  await page.getByRole("button", { name: "Remove the filter Segment" }).click();
  await page.getByLabel("Full name or e-mail").fill("Aylin@post.example");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Tom Petersen" }).waitFor({ state: "detached" });
  expect(new URL(page.url()).searchParams.get("find")).toBe("Aylin@post.example");
  await page.getByRole("link", { name: "Aylin Demir" }).waitFor();
  await page.goto(`${here}/customers?city=Paris&never=heard`);
  await page.getByText("No customer matches these filters").waitFor();
  expect(complaints).toEqual([]);
});

test("a customer is found by their e-mail; what they have and did stands on one page, and is undone there in two clicks", async () => {
  const installation = await anInstallation();
  const id = await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/vouchers`);
  await page.getByRole("link", { name: "GIFT-7KQM-X2TD" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.insertText("jana.becker@post.example");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Jana Becker", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/customers/${id}$`));
  const wallet = page.getByRole("table").filter({ has: page.getByRole("link", { name: "GIFT-7KQM-X2TD" }) });
  await wallet.getByRole("row", { name: /BF26-7KQM-X2TD.*1 of 3/ }).waitFor();
  await page.getByRole("row", { name: /Kaffee-Klub KLUB-.*320/ }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "Newsletter" }).waitFor();
  await page.getByRole("row", { name: /Refused.*expired/ }).waitFor();
  await lookAt(page, "customer");

  const row = page.getByRole("row", { name: /\$82\.50/ });
  const clicks = await clicksOn(page);
  await row.getByRole("button", { name: "Roll back" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back this redemption" });
  await dialog.getByLabel("Reason").fill("Order was returned");
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await page.getByRole("row", { name: /Order was returned/ }).waitFor();
  expect(await clicks()).toBe(2);
  await wallet.getByRole("row", { name: /BF26-7KQM-X2TD.*0 of 3/ }).waitFor();

  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByText("Rolled back").first().waitFor();
  await page.getByRole("link", { name: /^Wallet/ }).click();
  await wallet.waitFor();
  expect(complaints).toEqual([]);
});

test("a customer is edited: the address goes whole, metadata key by key, and what somebody else changed is seen first", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  const id = (await api.post("/v1/customers", jana, 200)).body.id as string;
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/customers/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Jana Becker" });
  await dialog.getByLabel(/^Name/).fill("n".repeat(300));
  await dialog.getByLabel(/^Phone/).fill("");
  await dialog.getByLabel(/^City/).fill("Altona");
  await dialog.getByRole("textbox", { name: "Metadata" }).fill("{");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("This is no JSON object").waitFor();
  await dialog.getByRole("textbox", { name: "Metadata" }).fill('{ "newsletter": false }');
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Property .name must NOT have more than 255 characters").waitFor();
  await dialog.getByLabel(/^Name/).fill("Jana Weber");
  await lookAt(page, "customer-edit");
  await api.put(
    `/v1/customers/${id}`,
    { email: "jana@post.example", address: { ...jana.address, city: "Bremen" } },
    200,
  );
  await dialog.getByLabel(/^Name/).press("Enter");
  const clash = page.getByRole("dialog", { name: "Changed while you edited" });
  await clash.getByRole("group", { name: "City" }).getByRole("radio", { name: "Theirs Bremen" }).waitFor();
  await clash.getByRole("radio", { name: "Theirs jana@post.example" }).waitFor();
  await clash.getByRole("button", { name: "Save this" }).press("Enter");
  await page.getByRole("heading", { name: "Jana Weber", level: 1 }).waitFor();
  expect((await api.get(`/v1/customers/${id}`, 200)).body).toMatchObject({
    ...{ name: "Jana Weber", phone: null, email: "jana@post.example" },
    ...{ address: { ...jana.address, city: "Altona" }, metadata: { locale: "de-DE", newsletter: false } },
  });
  expect(complaints).toEqual([]);
});

test("a viewer sees a customer and undoes nothing; somebody that nobody knows is said to be nobody", async () => {
  const installation = await anInstallation();
  const id = await aShop(installation);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/customers/${id}/redemptions`);
  await page.getByRole("row", { name: /\$82\.50/ }).waitFor();
  expect(await page.getByRole("button", { name: /^(Roll back|Edit)$/ }).count()).toBe(0);
  await page.goto(`${here}/customers/nobody`);
  await page.getByText("Customer could not be loaded").waitFor();
});
