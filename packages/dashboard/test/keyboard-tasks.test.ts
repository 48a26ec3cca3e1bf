import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { answering, aReceiver } from "../../server/src/features/management/send-outs/receiver.fixtures.js";
import { aPageOf, clicksOn, withBrowser } from "./harness/browser.js";
import { keyboardOf } from "./harness/keyboard.js";
import { aBrowser, anInstallation, type Installation } from "./harness/service.js";

withBrowser();

/** What everybody is to do at the dashboard, by keyboard alone; with a pointer the same is counted beside its pages. */
async function aPageWithout(pointer: { at: string }, installation: Installation) {
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/${pointer.at}`);
  const button = (name: string, within: Pick<Page, "getByRole"> = page) =>
    within.getByRole("button", { name, exact: true });
  const field = (label: string) => page.getByRole("textbox", { name: new RegExp(`^${label}( optional)?$`) });
  return { page, here, complaints, keyboard: keyboardOf(page), button, field };
}

/** Does what follows for as long as a page waits for it. */
async function meanwhile<Result>({ runDue }: Installation, waited_for: Promise<Result>): Promise<Result> {
  const over = waited_for.then(() => true);
  const isOver = () => Promise.race([over, new Promise<false>((resolve) => setTimeout(() => resolve(false), 100))]);
  while (!(await isOver())) await runDue();
  return waited_for;
}

test("a marketer makes a code for everybody, 5,000 as a file, and stops what does not work", async () => {
  const installation = await anInstallation();
  const { page, here, complaints, keyboard, button, field } = await aPageWithout({ at: "campaigns" }, installation);
  const begun = performance.now();
  await keyboard.press(page.getByRole("link", { name: "New campaign" }));
  await keyboard.press(page.getByRole("link", { name: /^Coupons/ }));
  await keyboard.write(field("Name"), "Welcome 10");
  await keyboard.write(field("Code"), "WELCOME10");
  await keyboard.press(button("Continue"));
  await page.getByLabel("First day").waitFor();
  await keyboard.press(button("Continue"));
  await keyboard.write(field("Percent off the order"), "10");
  await keyboard.write(field("Order of at least"), "100.00");
  await keyboard.press(page.getByRole("checkbox", { name: "Once per customer" }), "Space");
  await keyboard.press(button("Continue"));
  await keyboard.press(button("Create campaign"));
  await page.getByText("Welcome 10 created").waitFor();
  expect(performance.now() - begun).toBeLessThan(120_000);

  const redeem = (amount: number, status: number) =>
    installation.api.post(
      "/v1/vouchers/WELCOME10/redemption",
      { order: { amount }, customer: { source_id: "jana" } },
      status,
    );
  await redeem(9_999, 400);
  await redeem(10_000, 200);
  await installation.runDue();
  await page.goto(`${here}/campaigns/new/coupons`);
  await keyboard.write(field("Name"), "Newsletter");
  await keyboard.to(page.getByRole("radio", { name: /A code for each customer/ }));
  await keyboard.write(page.getByLabel("How many"), "5000");
  await keyboard.press(button("Continue"));
  await page.getByLabel("First day").waitFor();
  await keyboard.press(button("Continue"));
  await keyboard.write(field("Percent off the order"), "15");
  await keyboard.press(button("Continue"));
  await keyboard.press(button("Create campaign"));
  await meanwhile(installation, button("Export codes").waitFor());
  const downloading = page.waitForEvent("download");
  await keyboard.press(button("Export codes"));
  const lines = (await readFile(await (await meanwhile(installation, downloading)).path(), "utf8")).trim().split("\n");
  expect(lines).toHaveLength(5_001);

  await page.goto(`${here}/overview`);
  const clicks = await clicksOn(page);
  const top = page.getByRole("region", { name: "Top campaigns" }).first();
  await keyboard.press(top.getByRole("link", { name: "Welcome 10" }));
  await keyboard.press(button("Disable"));
  await page.getByText("Welcome 10 disabled").waitFor();
  expect(await clicks()).toBe(0);
  expect(complaints).toEqual([]);
}, 120_000);

test("support finds why a code was refused, gives credits for it, and undoes a redemption", async () => {
  const installation = await anInstallation();
  const { api } = installation;
  const amount_off = { discount: { type: "AMOUNT", amount_off: 1_000 }, redemption: { quantity: 1 } };
  await api.post("/v1/vouchers/BF26-7KQM-X2TD", amount_off, 200);
  await api.post("/v1/vouchers/GIFT-7KQM-X2TD", { type: "GIFT_VOUCHER", gift: { amount: 5_000 } }, 200);
  const used = { order: { amount: 8_250 }, customer: { source_id: "crm-41877", name: "Jana Becker" } };
  await api.post("/v1/vouchers/BF26-7KQM-X2TD/redemption", used, 200);
  await api.post("/v1/vouchers/BF26-7KQM-X2TD/redemption", used, 400);
  const { page, complaints, keyboard, button } = await aPageWithout({ at: "vouchers/BF26-7KQM-X2TD" }, installation);
  const why = page.getByRole("heading", { name: /^Last refused because/ });
  // It is explained a moment after it was answered.
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.waitForLoadState("networkidle");
        return why.count();
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBe(1);

  await keyboard.search("GIFT-7KQM-X2TD");
  await page.getByRole("heading", { name: /GIFT-7KQM-X2TD/, level: 1 }).waitFor();
  const clicks = await clicksOn(page);
  await keyboard.press(button("Adjust balance"));
  const adjust = page.getByRole("dialog", { name: "Adjust the balance of GIFT-7KQM-X2TD" });
  await keyboard.write(adjust.getByLabel("Amount"), "10.00");
  await keyboard.write(adjust.getByLabel("Reason"), "Parcel came late");
  await keyboard.press(button("Add", adjust));
  await page.getByText("$10.00 added").waitFor();

  await keyboard.search("BF26-7KQM-X2TD");
  await why.waitFor();
  await keyboard.press(button("Roll back", page.getByRole("row", { name: /Jana Becker/ })));
  const undo = page.getByRole("dialog", { name: "Roll back this redemption" });
  await keyboard.write(undo.getByLabel("Reason"), "Order was returned");
  await keyboard.press(button("Roll back", undo));
  await page.getByRole("row", { name: /Order was returned/ }).waitFor();
  expect((await api.get("/v1/vouchers/BF26-7KQM-X2TD", 200)).body.redemption.redeemed_quantity).toBe(0);
  expect(await clicks()).toBe(0);
  expect(complaints).toEqual([]);
}, 60_000);

test("a developer makes a first call, finds what was sent in one, and sends again what a webhook missed", async () => {
  // The receiver stands on this machine.
  const installation = await anInstallation(undefined, { webhook_allow_private: true });
  const { api, project_id, runDue } = installation;
  const receiver = await aReceiver();
  const admin = aBrowser(installation, project_id, (await installation.cookieOf("ADMIN")).value);
  const { page, here, complaints, keyboard, button } = await aPageWithout({ at: "settings/keys" }, installation);
  await keyboard.press(button("New key"));
  const dialog = page.getByRole("dialog", { name: "New key" });
  await keyboard.write(dialog.getByLabel("Name"), "Storefront");
  await keyboard.press(button("Create key", dialog));
  await keyboard.press(button("Copy curl"));
  await page.getByText("Copied").first().waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [, url = ""] = /curl "([^"]+)"/.exec(copied) ?? [];
  const headers = [...copied.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [name, value]);
  expect((await fetch(url, { headers: Object.fromEntries(headers) })).status).toBe(200);

  await page.goto(`${here}/requests`);
  await keyboard.press(button("Keep requests"));
  await page.getByText("The next call of the API shows up here").waitFor();
  const refused = await api.post("/v1/redemptions", { redeemables: [], order: { amount: 4_711 } }, 400);
  const request_id = refused.headers.get("x-request-id") ?? "";
  // Requests are kept a moment after they were answered.
  await expect
    .poll(async () => (await admin.get(`/dashboard/v1/requests/${request_id}`)).status, { timeout: 10_000 })
    .toBe(200);
  await keyboard.search(request_id);
  await page.getByText("4711").first().waitFor();

  await admin.post(
    `/management/v1/projects/${project_id}/webhooks`,
    { target_url: receiver.url, events: ["customer.created"] },
    200,
  );
  await api.post("/v1/customers", { source_id: "jana" }, 200);
  await runDue();
  // Whatever is sent by hand is tried once: its failure is the end.
  receiver.answers(answering(500, {}, "{}"));
  const { data } = (await admin.get(`/management/v1/projects/${project_id}/send-outs`, 200)).body;
  await admin.post(`/management/v1/projects/${project_id}/send-outs/${data[0].id}/retry`, undefined);
  await runDue();
  receiver.answers(answering(200));
  await page.goto(`${here}/overview`);
  const clicks = await clicksOn(page);
  await keyboard.press(page.getByRole("link", { name: "Review" }));
  await page.getByRole("row", { name: /customer\.created.*Failed/ }).waitFor();
  await keyboard.press(page.getByRole("link", { name: "customer.created" }));
  await keyboard.press(button("Send again"));
  await page.getByText("It is being sent again").waitFor();
  await runDue();
  await page.getByRole("heading", { name: "Answered 200" }).waitFor();
  expect(await clicks()).toBe(0);
  expect(complaints).toEqual([]);
}, 60_000);
