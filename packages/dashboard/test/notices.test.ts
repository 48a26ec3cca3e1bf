import { expect, test } from "vitest";
import { sql } from "../../server/src/platform/db/sql.js";
import { aPageOf, lookAt, withBrowser } from "./harness/browser.js";
import { anInstallation, type Installation } from "./harness/service.js";

withBrowser();

/** As the service tells them: `features/notices/`. */
const tell = ({ context, project_id }: Installation, id: string, kind: string, facts: object) => {
  const about = kind === "webhook" ? sql`switched_off` : sql`used_limit`;
  return context.db.run(sql`
    insert into notices (project_id, id, kind, ${about}, created_at)
    values (${project_id}, ${id}, ${kind}, ${JSON.stringify(facts)}::json,
            ${new Date(context.clock.now()).toISOString()}::timestamptz)`);
};

test("what a project tells its people waits behind the bell, and is new until it was read", async () => {
  const installation = await anInstallation();
  const { page, here, complaints } = await aPageOf(installation, "VIEWER");
  await page.goto(`${here}/webhooks`);
  await page.getByRole("button", { name: "Notices", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Notices" });
  await dialog.getByText("Nothing to tell you").waitFor();
  await lookAt(page, "notices-none");
  await dialog.getByRole("button", { name: "Close" }).click();

  const used = { calls: 4_000, value: 5_000, duration: "PT1H", ends_at: Date.parse("2026-03-02T11:00:00Z") };
  await tell(installation, "ntc_1", "api_calls", used);
  await tell(installation, "ntc_2", "webhook", { id: "wh_1", target_url: "https://hooks.example/orders" });
  await page.reload();
  await page.getByRole("button", { name: "Notices, 2 new" }).click();
  const [newest, older] = [dialog.getByRole("listitem").first(), dialog.getByRole("listitem").last()];
  await newest.getByText("A webhook was switched off").waitFor();
  await newest.getByText("https://hooks.example/orders").waitFor();
  await older.getByText("80 % of the calls are used").waitFor();
  await older.getByText(/4,000 of 5,000 in PT1H; the next period begins 2 Mar 2026, 11:00/).waitFor();
  await lookAt(page, "notices");
  await dialog.getByRole("link", { name: "To the webhooks" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Notices", exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
