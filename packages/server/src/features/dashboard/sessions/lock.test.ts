import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService();
const { project, clock, anotherProject } = service;
const at = "/dashboard/v1/sessions";
const gift = { type: "GIFT_VOUCHER", gift: { amount: 5_000 } };

const lock = (api: typeof project.api, code: string, key: string, hours: number) =>
  api.post(
    "/v1/validations",
    {
      redeemables: [{ object: "voucher", id: code, gift: { credits: 1_200 } }],
      order: { amount: 3_000 },
      session: { type: "LOCK", key, ttl: hours, ttl_unit: "HOURS" },
    },
    200,
  );

test("live locks are listed whatever they are of, those that last longest first, until they are released or run out", async () => {
  const { api } = project;
  const { browser } = await someoneIn(service, project.id, "USER");
  const listed = async () => (await browser.get(at, 200)).body;
  expect(await listed()).toEqual({ data: [], has_more: false });
  for (const code of ["GIFT-A", "GIFT-B"]) await api.post(`/v1/vouchers/${code}`, gift, 200);
  await lock(api, "GIFT-A", "short", 1);
  await lock(api, "GIFT-A", "middle", 2);
  await lock(api, "GIFT-B", "long", 3);
  const { data } = await listed();
  expect(data.map(({ key, code, credits }: Record<string, unknown>) => [key, code, credits])).toEqual([
    ["long", "GIFT-B", 1_200],
    ["middle", "GIFT-A", 1_200],
    ["short", "GIFT-A", 1_200],
  ]);
  const keys = async () => (await listed()).data.map(({ key }: { key: string }) => key);
  await browser.delete("/v1/vouchers/GIFT-A/sessions/middle", 204);
  expect(await keys()).toEqual(["long", "short"]);
  clock.advance({ minutes: 61 });
  expect(await keys()).toEqual(["long"]);
});

test("locks are of one project, and not for a till", async () => {
  const elsewhere = await anotherProject();
  await elsewhere.api.post("/v1/vouchers/GIFT-C", gift, 200);
  await lock(elsewhere.api, "GIFT-C", "theirs", 3);
  const { browser } = await someoneIn(service, project.id, "VIEWER");
  const { data } = (await browser.get(at, 200)).body;
  expect(data.some(({ key }: { key: string }) => key === "theirs")).toBe(false);
  await (await someoneIn(service, project.id, "MERCHANT")).browser.get(at, 403);
});
