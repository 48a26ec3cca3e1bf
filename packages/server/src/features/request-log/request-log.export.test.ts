import { expect, test, vi } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { exportsOn } from "../exports/export.fixtures.js";
import { importsOn } from "../imports/import.fixtures.js";
import { someoneIn } from "../people/people.fixtures.js";

const service = await startService();
const { context, anotherProject } = service;

/** A shop that keeps its requests, with four of them: of the shop, of a page, of somebody who is signed in, and a file. */
async function aShop() {
  const shop = await anotherProject({ request_log_enabled: true });
  const { browser, user } = await someoneIn(service, shop.id, "USER");
  const voucher = { discount: { type: "AMOUNT", amount_off: 100 } };
  const spring = await shop.api.post("/v1/vouchers/SPRING", voucher, 200);
  const headers = { "x-voucherify-channel": "JavaScript-ClientSide-SDK-v2.9.0" };
  await shop.page.send("GET", "/client/v1/promotions/tiers", { headers, status: 200 });
  await browser.post("/v1/customers", { name: 5 }, 400);
  const csv = "Code,Voucher Type,Value\nA,GIFT_VOUCHER,1";
  await importsOn(service).send(shop.api, "/v1/vouchers/importCSV", csv, { status: 202 });
  // It is written a second later.
  const rows = () => context.db.many(sql`select from api_requests where api_requests.project_id = ${shop.id}`);
  await vi.waitFor(async () => expect(await rows()).toHaveLength(4), { timeout: 10_000, interval: 50 });
  return { ...shop, ...exportsOn(service, shop), user, spring };
}

test("what callers asked is exported by what it was asked of, how it ended and who asked", async () => {
  const shop = await aShop();
  const { user, app_id, client_id, spring } = shop;
  const linesOf = async (fields: string[]) => {
    const [titles, ...lines] = await shop.linesOf(await shop.ask("api_log", { fields }));
    return [titles, ...lines.sort()];
  };
  expect(
    await linesOf(["endpoint", "url", "method", "status", "channel", "user_email", "app_id", "client_app_id"]),
  ).toEqual([
    "Endpoint,Url,Method,Status,Channel,User Email,App ID,Client App ID",
    `GET_client_v1_promotions_tiers,/client/v1/promotions/tiers,GET,200,CLIENT_API,,,${client_id}`,
    `POST_v1_customers,/v1/customers,POST,400,USER_PORTAL,${user.email},,`,
    `POST_v1_vouchers,/v1/vouchers/SPRING,POST,200,API,,${app_id},`,
    `POST_v1_vouchers_import_csv,/v1/vouchers/importCSV,POST,202,API,,${app_id},`,
  ]);
  const id = spring.headers.get("x-request-id") ?? "";
  expect(await linesOf(["id", "request_id"])).toContain(`${id},${id}`);
  expect(await linesOf(["method", "channel", "label"])).toEqual(
    expect.arrayContaining(["Method,Channel,Label", "GET,CLIENT_API,JavaScript-ClientSide-SDK-v2.9.0", "POST,API,"]),
  );
  const bodies = await shop.column("api_log", "request_body", { filters: { status: { conditions: { $is: 400 } } } });
  expect(bodies).toEqual(['"{""name"":5}"']);
});

test.each<[string, string, unknown, number]>([
  ["status", "$is", 200, 2],
  ["status", "$is_not", [200], 2],
  ["channel", "$in", ["API", "CLIENT_API"], 3],
  ["channel", "$not_in", ["API"], 2],
  ["app_id", "$is", "nobody", 0],
  ["client_app_id", "$is_not", "nobody", 4],
  ["created_at", "$after", "2026-01-01", 4],
  ["created_at", "$before", "2026-01-01", 0],
])("requests filtered by %s %s %j: %i", async (field, operator, operand, count) => {
  shared ??= await aShop();
  const filters = { [field]: { conditions: { [operator]: operand } } };
  // Asking for a file is a request too, which comes later.
  const asked = await shared.column("api_log", "endpoint", { filters });
  expect(asked.filter((name) => !/^(POST|GET)_v1_exports$/.test(name))).toHaveLength(count);
});
let shared: Awaited<ReturnType<typeof aShop>> | undefined;
