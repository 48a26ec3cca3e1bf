import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const code = "BF26-7KQM-X2TD";
const items = [
  { source_id: "mug-fjord", product: { name: "Mug “Fjord”, stoneware" }, quantity: 2, price: 1_890 },
  { source_id: "candles", product: { name: "Candle set “Advent”" }, quantity: 1, price: 2_220 },
  { source_id: "towel", product: { name: "Tea towel, linen" }, quantity: 3, price: 750 },
];

/** A code for carts from 100.00 that a cart of 82.50 was refused with. */
async function aRefusal({ api }: Installation): Promise<string> {
  const rules = {
    "1": { name: "order.amount", conditions: { $more_than_or_equal: [10_000] } },
    "2": { name: "redemption.count.per_customer", conditions: { $less_than_or_equal: [1] } },
    logic: "1 and 2",
  };
  const rule = (await api.post("/v1/validation-rules", { name: "Black Friday minimum", rules }, 200)).body;
  const discount = { type: "PERCENT", percent_off: 20, amount_limit: 5_000 };
  const limit = { redemption: { quantity: 1 }, expiration_date: "2044-12-01T00:00:00Z" };
  await api.post(`/v1/vouchers/${code}`, { discount, ...limit, validation_rules: [rule.id] }, 200);
  const customer = { source_id: "crm-41877", name: "Jana Becker", email: "jana.becker@post.example" };
  const body = { redeemables: [{ object: "voucher", id: code }], order: { source_id: "ord-204817", items }, customer };
  const { headers } = await api.post("/v1/redemptions", body, 400);
  return headers.get("x-request-id") ?? "";
}

test("a refused code says why in words: by how much, what each check saw, and the order that was sent", async () => {
  const installation = await anInstallation();
  const request_id = await aRefusal(installation);
  const { page, here, complaints } = await aPageOf(installation);
  const panel = page.getByRole("region", { name: "Last refused" });
  // It is explained a moment after it was answered.
  await expect
    .poll(
      async () => {
        await page.goto(`${here}/vouchers/${code}`);
        await page.getByRole("row", { name: /Refused/ }).waitFor();
        await page.waitForLoadState("networkidle");
        return panel.count();
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(1);
  await panel
    .getByRole("heading", { name: "Last refused because the order was $17.50 short of $100.00", exact: true })
    .waitFor();
  expect(await panel.innerText()).toContain(request_id);
  await panel.getByRole("link", { name: "Rule “Black Friday minimum”" }).waitFor();
  const said = (await panel.innerText()).replace(/\s+/g, " ");
  for (const words of [
    "It is switched on",
    "Within its dates",
    "Not used up 0 of 1",
    "Rule “Black Friday minimum”",
    "Total before discounts $82.50 needs at least $100.00 $17.50 short",
    "Mug “Fjord”, stoneware 2 × $18.90 $37.80",
    "Total $82.50",
  ])
    expect(said).toContain(words);
  await lookAt(page, "voucher-refused");

  await panel.getByRole("button", { name: "Check again now" }).click();
  await panel.getByText("The same order would still be refused: the order was $17.50 short of $100.00.").waitFor();
  await lookAt(page, "voucher-refused-again");
  expect(complaints).toEqual([]);
});

test("what was in the way and is gone is found by checking again", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  await api.post("/v1/vouchers/WELCOME10", { discount: { type: "AMOUNT", amount_off: 1_000 }, active: false }, 200);
  await api.post(
    "/v1/redemptions",
    { redeemables: [{ object: "voucher", id: "WELCOME10" }], order: { amount: 8_250 } },
    400,
  );
  await api.post("/v1/vouchers/WELCOME10/enable", undefined, 200);
  const { page, here, complaints } = await aPageOf(installation);
  const heading = page.getByRole("heading", { name: "Last refused because it is switched off" });
  await expect
    .poll(
      async () => {
        await page.goto(`${here}/vouchers/WELCOME10`);
        await page.getByRole("button", { name: "Disable" }).waitFor();
        await page.waitForLoadState("networkidle");
        return heading.count();
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(1);
  await page.getByRole("button", { name: "Check again now" }).click();
  await page.getByText("The same order would be accepted now.").waitFor();
  expect(complaints).toEqual([]);
});

test("of a code that was never refused nothing is said", async () => {
  const installation = await anInstallation();
  await installation.api.post("/v1/vouchers/QUIET", { discount: { type: "AMOUNT", amount_off: 1_000 } }, 200);
  const { page, here } = await aPageOf(installation);
  await page.goto(`${here}/vouchers/QUIET`);
  await page.getByText("Nobody has tried to redeem it").waitFor();
  expect(await page.getByRole("region", { name: "Last refused" }).count()).toBe(0);
});
