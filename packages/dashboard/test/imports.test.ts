import { expect, test } from "vitest";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation } from "./harness/service.js";

withBrowser();

const aFile = (name: string, text: string | Buffer) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const codes = `Coupon Code;Voucher Type;Value;Discount Type;Wave;Internal
SPRING-1;DISCOUNT_VOUCHER;10;PERCENT;=1+2;"a;b"
SPRING-2;DISCOUNT_VOUCHER;10,50;AMOUNT;second;
SPRING-3;GIFT_VOUCHER;45;;third;x
SPRING-1;GIFT_VOUCHER;45;;fourth;x
`;

test("a file becomes vouchers: its columns are given a meaning, its first rows shown, each refused row told with its reason", async () => {
  const installation = await anInstallation();
  const { api, runDue } = installation;
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/vouchers`);
  await page.getByRole("link", { name: "Import" }).click();
  await page.getByRole("heading", { name: "Import a file" }).waitFor();
  const start = page.getByRole("button", { name: "Start import" });
  const file = page.getByRole("button", { name: "File", exact: true });
  await start.click();
  await page.getByText("Choose the file that is imported.").waitFor();
  await file.setInputFiles(aFile("latin.csv", Buffer.from("Code\nSommermärchen", "latin1")));
  await page.getByText(/letters are not UTF-8/).waitFor();
  await lookAt(page, "import-bad-file");
  await file.setInputFiles(aFile("codes.csv", codes));
  await page.getByText(/separated by semicolons/).waitFor();
  // What is needed is asked for, and goes to the column that it is about.
  await page.getByLabel("“Coupon Code” becomes").selectOption("Metadata, under its name");
  await start.click();
  await page.getByText("Which column holds this: Code?").waitFor();
  await page.getByLabel("“Coupon Code” becomes").selectOption("Code (needed)");
  await page.getByLabel("“Internal” becomes").selectOption("Nothing, it is left out");
  const preview = page.getByRole("region", { name: "As they will be stored" }).getByRole("table");
  expect(await preview.getByRole("row").nth(2).innerText()).toMatch(/SPRING-2.*10,50\s+Not an amount/s);
  await page.getByText(/“Wave” begins like a formula in row 1/).waitFor();
  await lookAt(page, "import");

  // No answer comes: what was chosen stays, and the second attempt is the same request.
  const names: (string | undefined)[] = [];
  await page.route("**/importCSV", (route) => {
    names.push(route.request().headers()["idempotency-key"]);
    return names.length === 1 ? route.abort() : route.continue();
  });
  await start.click();
  await page.getByText(/service does not answer/).waitFor();
  await start.click();
  await page.getByText("It has not ended yet").waitFor();
  expect(names).toEqual([names[0], names[0]]);
  await runDue();
  await page.getByRole("row", { name: /^2 SPRING-2 .*must be an amount/ }).waitFor();
  await page.getByRole("row", { name: /^4 SPRING-1 .*an earlier row has/ }).waitFor();
  await lookAt(page, "import-task");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Refused rows as CSV" }).click(),
  ]);
  expect(await download.failure()).toBeNull();
  const { body } = await api.get("/v1/vouchers/SPRING-1", 200);
  expect(body).toMatchObject({ discount: { type: "PERCENT", percent_off: 10 }, metadata: { Wave: "=1+2" } });
  expect(Object.keys(body.metadata)).toEqual(["Wave"]);
  expect((await api.get("/v1/vouchers/SPRING-3", 200)).body.gift.amount).toBe(4_500);
  expect(complaints.filter((one) => !one.includes("ERR_FAILED"))).toEqual([]);
});

test("a campaign is refused where it is named, and whoever may not import is told so", async () => {
  const installation = await anInstallation();
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "PERCENT", percent_off: 5 } };
  const campaign = { name: "One code", campaign_type: "DISCOUNT_COUPONS", type: "STANDALONE", voucher };
  await installation.api.post("/v1/campaigns", campaign, 200);
  const { page, here } = await aPageOf(installation);
  await page.goto(`${here}/tasks/import?of=campaign&campaign=One%20code`);
  await page.getByRole("button", { name: "File", exact: true }).setInputFiles(aFile("codes.csv", "Code\nA-1\n"));
  await page.getByRole("heading", { name: "As they will be stored" }).waitFor();
  await page.getByRole("button", { name: "Start import" }).click();
  const field = page.getByRole("textbox", { name: "Campaign" });
  await page.getByText(/STANDALONE/).waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await field.evaluate((shown) => shown === document.activeElement)).toBe(true);
  await field.fill("Another");
  expect(await field.getAttribute("aria-invalid")).toBeNull();

  const { page: theirs } = await aPageOf(installation, "VIEWER");
  await theirs.goto(`${here}/vouchers`);
  await theirs.getByRole("heading", { name: "Vouchers" }).waitFor();
  expect(await theirs.getByRole("link", { name: "Import" }).count()).toBe(0);
  await theirs.goto(`${here}/tasks/import`);
  await theirs.getByText("Your role does not show import a file").waitFor();
});
