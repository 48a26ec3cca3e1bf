import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aCustomEvent, aProgram, aRule } from "../loyalty.fixtures.js";

const service = await startService();
const { api, project } = service;
const program = await aProgram(service);
const event = await aCustomEvent(service, project);
const rules = `/v1/loyalties/${program.id}/earning-rules`;

test("an edit that does not say the kind of the points keeps it", async () => {
  const { id } = await aRule(service, program, event);
  const put = async (loyalty: object, rule_id = id, status = 200) =>
    (await api.put(`${rules}/${rule_id}`, { loyalty }, status)).body;
  expect((await put({ points: "30" })).loyalty).toEqual({ type: "FIXED", points: 30 });

  const amount = (every: number) => ({ order: { amount: { every, points: 3 } } });
  const of_orders = {
    event: "order.paid",
    loyalty: { type: "PROPORTIONAL", calculation_type: "ORDER_AMOUNT", ...amount(7) },
  };
  const [proportional] = (await api.post(rules, [of_orders], 200)).body;
  expect((await put(amount(9), proportional.id)).loyalty).toEqual({ ...of_orders.loyalty, ...amount(9) });
  expect((await put({ type: "FIXED", points: 1 }, proportional.id)).loyalty).toEqual({ type: "FIXED", points: 1 });

  // Another kind has to be named whole, and a kind without what it needs is still none.
  expect((await put({ type: "PROPORTIONAL", ...amount(9) }, proportional.id, 400)).details).toBe(
    "Property .loyalty should have required property 'calculation_type'",
  );
  expect((await put({ points_formula: "1" }, id, 400)).details).toBe(
    "Property .loyalty should have required property 'points'",
  );
});
