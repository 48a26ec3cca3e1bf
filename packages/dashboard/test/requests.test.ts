import { expect, test } from "vitest";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const items = [
  { source_id: "mug-fjord", quantity: 2, price: 1_890 },
  { source_id: "candle-advent", quantity: 1, price: 2_220 },
  { source_id: "towel-linen", quantity: 3, price: 750 },
];

/** Some calls of a shop, the last of them refused; answers that one's id. */
async function someCalls({ api, advance }: Installation): Promise<string> {
  const rules = { "1": { name: "order.amount", conditions: { $more_than_or_equal: [10_000] } }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: "Minimum", rules }, 200)).body;
  const discount = { type: "PERCENT", percent_off: 20 };
  await api.post("/v1/vouchers/BF26-7KQM-X2TD", { discount, validation_rules: [rule.id] }, 200);
  const customer = { source_id: "crm-41877", email: "jana.becker@post.example", metadata: { api_token: "hidden" } };
  await api.get("/v1/customers/crm-88213", 404);
  await api.post("/v1/customers", customer, 200);
  const redeemables = [{ object: "voucher", id: "BF26-7KQM-X2TD" }];
  const body = { redeemables, customer, order: { source_id: "ord-204817", amount: 8_250, items } };
  advance({ ms: 1_000 });
  await api.post("/v1/validations", body, 200);
  advance({ ms: 1_000 });
  const labelled = { "x-voucherify-channel": "till 4, Fjordgate" };
  const sent = { raw: JSON.stringify(body), headers: labelled, status: 400 };
  const { headers } = await api.send("POST", "/v1/redemptions", sent);
  return headers.get("x-request-id") ?? "";
}

test("a project keeps no requests until an administrator says so, and the empty page is where they do", async () => {
  const installation = await anInstallation();
  const viewer = await aPageOf(installation, "VIEWER");
  await viewer.page.goto(`${viewer.here}/requests`);
  await viewer.page.getByText("An administrator of this project can switch it on.").waitFor();
  expect(await viewer.page.getByRole("button", { name: "Keep requests" }).count()).toBe(0);

  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/requests`);
  await page.getByRole("button", { name: "Keep requests" }).waitFor();
  await lookAt(page, "requests-off");
  await page.getByRole("button", { name: "Keep requests" }).click();
  await page.getByText("The next call of the API shows up here").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Keep requests" }).waitFor();
  expect(complaints).toEqual([]);
});

test("what a request contained is found by its id: Ctrl-K, paste, Enter", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/requests`);
  await page.getByRole("button", { name: "Keep requests" }).click();
  await page.getByText("The next call of the API shows up here").waitFor();
  const request_id = await someCalls(installation);
  await page.getByRole("button", { name: "Live" }).click();
  await page.getByRole("link", { name: /400 POST \/v1\/redemptions/ }).waitFor();

  await page.goto(`${here}/vouchers`);
  await page.getByRole("heading", { name: "Vouchers" }).waitFor();
  const clicks = await clicksOn(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.insertText(request_id);
  await page.keyboard.press("Enter");
  const request = page.getByRole("region", { name: "Request", exact: true }).first();
  await request.getByRole("heading", { name: "400 POST /v1/redemptions" }).waitFor();
  expect(await clicks()).toBe(0);
  expect(new URL(page.url()).pathname).toBe(`/p/${installation.project_id}/requests/${request_id}`);
  const said = await request.innerText();
  for (const words of [
    '"source_id": "crm-41877"',
    '"amount": 8250',
    '"api_token": "***"',
    '"key": "order_rules_violated"',
    "till 4, Fjordgate",
  ])
    expect(said).toContain(words);
  expect(said).not.toContain("hidden");
  await request.getByRole("region", { name: "What this request caused" }).getByText("redemption.failed").waitFor();
  await request.getByRole("button", { name: "Copy as curl" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("-d '{");
  await lookAt(page, "request");

  await request.getByRole("link", { name: "Older request" }).click();
  await request.getByRole("heading", { name: "200 POST /v1/validations" }).waitFor();
  expect(complaints).toEqual([]);
});

test("requests are narrowed to those that went wrong, by the address, and an unknown id says so", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/requests`);
  await page.getByRole("button", { name: "Keep requests" }).click();
  await page.getByText("The next call of the API shows up here").waitFor();
  await someCalls(installation);
  await page.getByRole("button", { name: "Live" }).click();
  await page.getByRole("link", { name: /400 POST \/v1\/redemptions/ }).waitFor();
  await lookAt(page, "requests");
  const list = page.getByRole("navigation", { name: "Requests, newest first" });
  expect(await list.getByRole("link").count()).toBe(6);
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitem", { name: "Refused or failed" }).click();
  await expect.poll(() => list.getByRole("link").count(), { timeout: 10_000 }).toBe(2);
  await list.getByRole("link", { name: /404 GET/ }).click();
  await page.getByRole("heading", { name: "404 GET /v1/customers/crm-88213" }).waitFor();
  expect(new URL(page.url()).search).toBe("?status=failure");
  await page.goto(`${here}/requests/v-unknown`);
  await page.getByText("There is no such request").waitFor();
  expect(complaints).toEqual([]);
});
