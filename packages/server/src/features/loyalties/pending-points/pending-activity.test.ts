import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";

const service = await startService();
const { api, runDue } = service;

test("points that pend are in the activity of their card and of their program from the first day", async () => {
  const program = await aProgram(service);
  const rule = {
    event: "order.paid",
    loyalty: { type: "FIXED", points: 10 },
    pending_points: { period_type: "DAY", period_value: 2 },
    source: { banner: "Later" },
  };
  await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
  const { card, source_id } = await aMember(service, program);
  await api.post("/v1/orders", { customer: { source_id }, amount: 1000, status: "PAID" }, 200);
  await runDue();
  const wanted = "customer.voucher.loyalty_card.pending_points.added";
  const typesOf = async (path: string) =>
    (await api.get(path, 200)).body.data.map(({ type }: { type: string }) => type);
  expect(await typesOf(`/v1/loyalties/members/${card.code}/activity?limit=100`)).toContain(wanted);
  const of_program = `/v1/customers/${source_id}/activity?limit=100&campaign_id=${program.id}`;
  expect(await typesOf(of_program)).toContain(wanted);
});
