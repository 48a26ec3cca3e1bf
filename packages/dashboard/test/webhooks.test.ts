import { expect, test } from "vitest";
import { answering, aReceiver } from "../../server/src/features/management/send-outs/receiver.fixtures.js";
import { aPageOf, clicksOn, lookAt, withBrowser } from "./harness/browser.js";
import { aBrowser, anInstallation } from "./harness/service.js";

withBrowser();

/** Somebody's own server, which answers as it is told. */
async function aShopWithReceiver() {
  // The receiver stands on this machine.
  const installation = await anInstallation(undefined, { webhook_allow_private: true });
  return { ...installation, receiver: await aReceiver() };
}

test("a webhook is made, switched off and on, and deleted", async () => {
  const installation = await aShopWithReceiver();
  const { receiver } = installation;
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/webhooks`);
  await page.getByText("Nobody is told of what happens here").waitFor();
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "New webhook" });
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await dialog.getByText("Enter an address that begins with https:// or http://.").waitFor();
  await dialog.getByText("Choose at least one event.").waitFor();
  await dialog.getByLabel("Address").fill(receiver.url);
  await dialog.getByText(/^Customers/).click();
  await dialog.getByLabel("customer.created").check();
  await lookAt(page, "webhook-form");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  const row = page.getByRole("row", { name: receiver.url });
  await row.getByText("1 event").waitFor();

  await page.getByRole("button", { name: "Show the secret" }).click();
  const secret = page.getByRole("region", { name: "Signing secret" }).locator("pre");
  const before = await secret.innerText();
  await page.getByRole("button", { name: "New secret" }).click();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await secret.innerText()).toMatch(/^\S{20,}$/);
  expect(await secret.innerText()).not.toBe(before);
  await lookAt(page, "webhooks");

  const choose = async (deed: string) => {
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: deed }).click();
  };
  await choose("Switch off");
  await row.getByText("Off").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row.getByText("Active").waitFor();
  await choose("Edit");
  const edit = page.getByRole("dialog", { name: "Edit webhook" });
  await edit.getByLabel("All events: the 66 there are today, and later ones").check();
  await edit.getByLabel("Headers of your own").fill("x-shop");
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.getByText("Write one header a line").waitFor();
  await edit.getByLabel("Headers of your own").fill("x-shop: north");
  await edit.getByRole("button", { name: "Save" }).click();
  await row.getByText("All 66 events").waitFor();
  await choose("Edit");
  await edit.getByText("There are: x-shop.").waitFor();
  await edit.getByRole("button", { name: "Cancel" }).click();
  await choose("Delete");
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByText("Nobody is told of what happens here").waitFor();
  expect(complaints).toEqual([]);
});

test("what a webhook missed is found from the overview and sent again in three clicks", async () => {
  const installation = await aShopWithReceiver();
  const { api, runDue, receiver, project_id } = installation;
  const cookie = await installation.cookieOf("ADMIN");
  const browser = aBrowser(installation, project_id, cookie.value);
  const webhook = { target_url: receiver.url, events: ["customer.created"] };
  await browser.post(`/management/v1/projects/${project_id}/webhooks`, webhook, 200);
  await api.post("/v1/customers", { source_id: "jana", name: "Jana Becker" }, 200);
  await runDue();
  const { page, here, complaints } = await aPageOf(installation);
  await page.goto(`${here}/webhooks/send-outs`);
  await page.getByRole("row", { name: /customer\.created.*Sent/ }).waitFor();
  // Whatever is sent by hand is tried once: its failure is the end.
  receiver.answers(answering(500, {}, '{"error":"The database is away"}'));
  await page.getByRole("link", { name: "customer.created" }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("It is being sent again").waitFor();
  await runDue();
  await page.getByRole("heading", { name: "Answered 500" }).waitFor();
  await page.getByText("Jana Becker").waitFor();
  await lookAt(page, "send-out");

  receiver.answers(answering(200));
  await page.goto(`${here}/overview`);
  await page.getByText("Webhooks failed: 1 in 24 hours").waitFor();
  const clicks = await clicksOn(page);
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByRole("row", { name: /customer\.created.*Failed/ }).waitFor();
  await lookAt(page, "send-outs");
  await page.getByRole("link", { name: "customer.created" }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  expect(await clicks()).toBe(3);
  await page.getByText("It is being sent again").waitFor();
  await runDue();
  await page.getByRole("heading", { name: "Answered 200" }).waitFor();
  expect(receiver.received).toHaveLength(3);
  expect(complaints).toEqual([]);
});

test("a viewer sees webhooks and what was sent, and changes neither", async () => {
  const installation = await aShopWithReceiver();
  const { project_id } = installation;
  const admin = aBrowser(installation, project_id, (await installation.cookieOf("ADMIN")).value);
  const webhook = { target_url: "https://hooks.example/", events: ["customer.created"] };
  await admin.post(`/management/v1/projects/${project_id}/webhooks`, webhook, 200);
  const { page, here } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/webhooks`);
  await page.getByRole("row", { name: /hooks\.example/ }).waitFor();
  expect(await page.getByRole("button", { name: /New webhook|Actions for|Show the secret/ }).count()).toBe(0);
});
