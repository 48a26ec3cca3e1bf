import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { importsOn } from "../../imports/import.fixtures.js";

const service = await startService();
const { api, project } = service;
const { ended } = importsOn(service);

const json = "/v1/vouchers/import";
const discount = { type: "AMOUNT", amount_off: 100, effect: "APPLY_TO_ORDER" };
const voucher = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body;

test("vouchers that are sent as JSON are on at the hours that they say, and each that says them wrongly is refused for itself", async () => {
  const daily = (start_time: string, expiration_time: string) => ({ daily: [{ start_time, expiration_time }] });
  const sent = [
    { code: "H-1", discount, validity_hours: daily("09:00", "11:00") },
    { code: "H-2", discount, validity_hours: daily("12:00", "13:00") },
    { code: "H-3", discount, validity_hours: daily("noon", "13:00") },
  ];
  const { result } = await ended(project, await api.post(json, sent, 202));
  expect(result.failed).toEqual([{ code: "H-3", reason: expect.stringContaining("validity_hours") }]);
  expect((await voucher("H-1")).validity_hours).toEqual(daily("09:00", "11:00"));
  // It is ten o'clock.
  await api.post("/v1/vouchers/H-1/redemption", { order: { amount: 500 } }, 200);
  const refused = (await api.post("/v1/vouchers/H-2/redemption", { order: { amount: 500 } }, 400)).body;
  expect(refused.key).toBe("voucher_not_active_now");
});
