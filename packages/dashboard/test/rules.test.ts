import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

const long = "long".repeat(70);
const hostile = `<img src=x onerror=alert(1)> ${"long".repeat(50)} שלום`;
const onTheFault = (page: Page) => page.waitForFunction(() => document.activeElement?.matches("[aria-invalid]"));
const condition = (page: Page, n: number) => page.getByRole("group", { name: `Condition ${n}`, exact: true });

/** A shop whose segment holds Jana. */
async function aShop({ api }: Installation): Promise<{ segment: string }> {
  const jana = (await api.post("/v1/customers", { source_id: "jana", name: "Jana Becker" }, 200)).body.id;
  const { body } = await api.post("/v1/segments", { type: "static", name: "Newsletter", customers: [jana] }, 200);
  return { segment: body.id };
}

const from_100 = { name: "order.amount", conditions: { $more_than_or_equal: [10_000] } };
const once = { name: "redemption.count.per_customer", conditions: { $less_than_or_equal: [1] } };
const gold = { name: "customer.metadata", property: "plan", conditions: { $is: ["gold"] } };

test("a rule is built by keyboard alone with its sentence in sight, then changed and deleted", async () => {
  const installation = await anInstallation();
  const { segment } = await aShop(installation);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/rules`);
  await page.getByText("There are no rules yet").waitFor();
  await page.getByRole("link", { name: "New rule" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  // Never grey: what is missing is said at its field, which has the focus.
  await page.getByText("A rule needs a name").waitFor();
  await onTheFault(page);
  await page.keyboard.type("Welcome back");
  await condition(page, 1).getByLabel("Value").focus();
  await page.keyboard.type("100");
  await page.getByText("Applies when the total before discounts is at least $100.00.").waitFor();
  await page.getByRole("button", { name: "Add a condition" }).press("Enter");
  await page.waitForFunction(() => document.activeElement?.matches("[data-row] select"));
  await condition(page, 2).getByLabel("About").selectOption("Redemptions per customer");
  await condition(page, 2).getByLabel("Value").fill("-1");
  await page.getByRole("button", { name: "Add a group" }).press("Enter");
  const third = condition(page, 3);
  await third.getByLabel("About").selectOption("Customer segment");
  await third.getByLabel("Value").selectOption("Newsletter");
  await page.getByRole("button", { name: "Add to group 1" }).press("Enter");
  const fourth = condition(page, 4);
  await fourth.getByLabel("About").selectOption("Customer metadata");
  await fourth.getByRole("button", { name: "Message of condition 4" }).press("Enter");
  await fourth.getByLabel(/^Message/).fill(hostile);
  await page.getByRole("button", { name: "Create rule" }).press("Enter");
  await fourth.getByText("Which one?").waitFor();
  await onTheFault(page);
  await page.keyboard.type("plan");
  await fourth.getByLabel("Value").fill("gold");
  await page.getByRole("button", { name: "Create rule" }).press("Enter");
  // What the service says no to is said at the condition that it means.
  await condition(page, 2).getByText("must be a number of at least 0").waitFor();
  await onTheFault(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1");
  const sentence =
    "Applies when the total before discounts is at least $100.00, and the customer has not redeemed it before, and either " +
    "the customer’s segment is Newsletter or the customer’s “plan” is gold.";
  await page.getByText(sentence).waitFor();
  await lookAt(page, "rule-new");
  await page.getByRole("button", { name: "Create rule" }).press("Enter");
  await page.getByRole("heading", { name: "Welcome back", level: 1 }).waitFor();
  await page.getByText(sentence).waitFor();
  await page.getByText("Nothing uses it yet").waitFor();
  await lookAt(page, "rule");
  const { data } = (await installation.api.get("/v1/validation-rules", 200)).body;
  expect(data[0].rules).toMatchObject({
    "1": from_100,
    "2": once,
    "3": { name: "customer.segment", conditions: { $is: [segment] } },
    "4": { ...gold, error: { message: hostile } },
    logic: "1 and 2 and (3 or 4)",
  });

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove condition 3" }).click();
  await page.getByRole("button", { name: /^AND/ }).first().click();
  await page
    .getByText("at least $100.00, or the customer has not redeemed it before, or the customer’s “plan”")
    .waitFor();
  await page.getByLabel("Name", { exact: true }).fill(long);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Property .name must NOT have more than 255 characters").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Name", { exact: true }).fill(hostile);
  await page.getByLabel(/^If it does not apply/).fill(hostile);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: /onerror/, level: 1 }).waitFor();
  await lookAt(page, "rule-hostile");
  await page.getByRole("link", { name: "Rules" }).first().click();
  await page.getByRole("row", { name: /onerror.*Applies when the total.*Nowhere/ }).waitFor();
  await lookAt(page, "rules");
  await page.getByRole("link", { name: /onerror/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete rule" }).click();
  await page.getByText("There are no rules yet").waitFor();
  expect(complaints).toEqual([]);
});

test("what uses a rule is said, and that it changes for all of them at once", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  const rules = { "1": from_100, logic: "1" };
  const { id } = (await api.post("/v1/validation-rules", { name: "From 100", rules }, 200)).body;
  const discount = { type: "AMOUNT", amount_off: 100 };
  const voucher = { type: "DISCOUNT_VOUCHER", discount };
  await api.post("/v1/campaigns", { name: "Winter", voucher, validation_rules: [id] }, 200);
  await api.post("/v1/vouchers/ONE OFF", { discount, validation_rules: [id] }, 200);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/rules`);
  await page.getByRole("row", { name: /From 100.*2 times/ }).waitFor();
  await page.getByRole("link", { name: "From 100" }).click();
  await page.getByRole("link", { name: "ONE OFF" }).waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByText("2 things use this rule").waitFor();
  await condition(page, 1).getByLabel("Value").fill("50");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("is at least $50.00").waitFor();
  await page.getByRole("link", { name: "Winter" }).click();
  await page.getByRole("heading", { name: "Winter", level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

test("a rule that no rows say is shown as a sentence and as it is, and saving its name leaves it so", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  const rules = {
    "1": { ...from_100, conditions: { $more_than: [7_000], $less_than: [9_000] } },
    "2": { name: "order.items.cheapest", conditions: { $is: [{ source_id: "mug", object: "product" }] } },
    logic: "1 and 2",
  };
  const applicable_to = { included: [{ object: "product", source_id: "mug" }] };
  const { body } = await api.post("/v1/validation-rules", { name: "By hand", rules, applicable_to }, 200);
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/rules/${body.id}`);
  await page
    .getByText(/Applies when .* is more than \$70.00 and .* is less than \$90.00, and order items cheapest is mug/)
    .waitFor();
  await page.getByRole("region", { name: "Rules as JSON" }).waitFor();
  await page.getByRole("region", { name: "Discount is for" }).waitFor();
  await lookAt(page, "rule-json");
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByText("they are edited as JSON").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Still by hand");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Still by hand", level: 1 }).waitFor();
  const saved = (await api.get(`/v1/validation-rules/${body.id}`, 200)).body;
  expect([saved.rules, saved.applicable_to]).toEqual([body.rules, body.applicable_to]);

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Rules as JSON").fill('{"1":{"name":"not.ours","conditions":{"$is":[1]}},"logic":"1"}');
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Rule 'not.ours' is not supported").first().waitFor();
  expect(await page.getByLabel("Rules as JSON").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Rules as JSON").fill(JSON.stringify({ "1": from_100, "2": once, logic: "1 or 2" }));
  await page.getByRole("button", { name: "Edit as conditions" }).click();
  await condition(page, 2).getByLabel("About").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("or the customer has not redeemed it before.").waitFor();
  expect(complaints).toEqual([]);
});

test("a rule is tried before it is saved: with a cart, at its edges, and each condition says what it saw", async () => {
  const installation = await anInstallation();
  const { segment } = await aShop(installation);
  const { api } = installation;
  const items = {
    name: "order.items.any",
    conditions: { $is: [{ source_id: "mug", object: "product" }] },
    rules: { "1": { name: "order.items.aggregated_quantity", conditions: { $more_than_or_equal: [2] } }, logic: "1" },
  };
  const segments = { name: "customer.segment", conditions: { $is: [segment] } };
  const budget = { name: "campaign.orders.amount_discounted", conditions: { $less_than_or_equal: [1_000] } };
  const rules = {
    "1": from_100,
    "2": items,
    "3": segments,
    "4": gold,
    "5": budget,
    logic: "1 and 2 and (3 or 4) and 5",
  };
  const error = { message: "For orders of $100.00 and more" };
  const { id } = (await api.post("/v1/validation-rules", { name: "Mugs", rules, error }, 200)).body;
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/rules/${id}/edit`);
  const tester = page.getByRole("region", { name: "Try it" });
  await tester.getByText("Does not apply", { exact: true }).waitFor();
  await tester.getByLabel("Order amount").fill("99.99");
  // Who it is has to be known before anything can be said of them.
  await tester.getByText("Missing customer.").waitFor();
  await tester.getByLabel("Customer metadata “plan”").fill("silver");
  await tester.getByText("Shops see: “For orders of $100.00 and more”").waitFor();
  await tester.getByRole("listitem").filter({ hasText: "is at least $100.00" }).getByText("$0.01 short").waitFor();
  await tester.getByRole("button", { name: "Order of $100.00" }).click();
  expect(await tester.getByLabel("Order amount").inputValue()).toBe("100.00");
  await tester.getByRole("button", { name: "2 × mug" }).click();
  await tester.getByLabel("Customer metadata “plan”").fill("gold");
  await tester.getByText("Applies", { exact: true }).waitFor();
  await tester.getByText("$90.00 to pay, $10.00 off").waitFor();
  await tester.getByRole("button", { name: "Order of $99.99 does not apply" }).waitFor();
  await tester.getByRole("button", { name: "3 × mug applies" }).waitFor();
  await tester.getByRole("button", { name: "1 × mug does not apply" }).waitFor();
  // One cent more is one more than may be given.
  await tester.getByRole("button", { name: "Order of $100.01 applies" }).waitFor();
  await tester.getByLabel("Discount").fill("11");
  await tester.getByText("Does not apply", { exact: true }).waitFor();
  await tester.getByRole("listitem").filter({ hasText: "takes off in all" }).getByText("$11.00").waitFor();
  await tester.getByLabel("Discount").fill("10");
  await tester.getByLabel("Customer metadata “plan”").fill("silver");
  await tester.getByText("Does not apply", { exact: true }).waitFor();
  await tester.getByLabel("Customer", { exact: true }).fill("jana");
  await tester.getByText("Applies", { exact: true }).waitFor();
  await lookAt(page, "rule-tester");
  await tester.getByLabel("Customer", { exact: true }).fill("cust_nobody");
  await tester.getByText(/cust_nobody/).waitFor();
  await tester.getByLabel("Customer", { exact: true }).fill("jana");
  await condition(page, 1).getByLabel("Value").fill("200");
  await tester.getByRole("button", { name: "Order of $200.00 does not apply" }).waitFor();
  await condition(page, 1).getByLabel("Value").fill("");
  await tester.getByText("once each condition is complete").waitFor();
  expect((await api.get(`/v1/validation-rules/${id}`, 200)).body.updated_at).toBeNull();
  expect(complaints).toEqual([]);
});

test("a viewer sees rules and changes none", async () => {
  const installation = await anInstallation();
  const rules = { "1": from_100, logic: "1" };
  await installation.api.post("/v1/validation-rules", { name: "From 100", rules }, 200);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/rules`);
  await page.getByRole("link", { name: "From 100" }).click();
  await page.getByText("is at least $100.00").waitFor();
  expect(await page.getByRole("link", { name: /^(Edit|New rule)$/ }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  for (const path of ["new", "val_nobody/edit"]) {
    await page.goto(`${here}/rules/${path}`);
    await page.getByText("Your role does not show").waitFor();
  }
});
