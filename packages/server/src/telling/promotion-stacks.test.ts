import { describe, expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import {
  aStack,
  askingFor,
  type Fields,
  idsOf,
  type Stack,
  tiersOf,
} from "../features/promotions/promotion.fixtures.js";

const { api } = await startService();

interface Told {
  order: Fields & { id: string };
  redemption: { id: string; order: Fields };
  promotion_tier: Fields | null;
  promotion_stack: Fields | null;
}
/** What the customer heard under this name, by the redemption or rollback that it is of. */
const toldTo = async (customer: string, name: string): Promise<Told[]> => {
  const { body } = await api.get(`/v1/customers/${customer}/activity?limit=100&type=${name}`, 200);
  return body.data.map(({ data }: { data: { data: Told } }) => data.data);
};
const stacksTold = async (customer: string, name: string) =>
  (await toldTo(customer, name)).map(({ promotion_stack }) => promotion_stack);

const redeemAs = async (source_id: string, stack: { id: string }, more: Fields = {}, status = 200) =>
  (await api.post("/v1/redemptions", askingFor(stack, { customer: { source_id }, ...more }), status)).body;

const asTold = ({ id, campaign_id, tiers }: Stack) => ({
  id,
  name: expect.any(String),
  category_id: null,
  campaign: { id: campaign_id },
  tiers: { ids: tiers, hierarchy_mode: "MANUAL" },
});

describe("a redemption of a promotion stack", () => {
  test("tells of the stack with each of its tiers and with their parent", async () => {
    const stack = await aStack(api, [{}, {}]);
    const { redemptions, parent_redemption } = await redeemAs("whole", stack);
    const told = await toldTo("whole", "customer.redemption.succeeded");
    expect(told.map(({ redemption }) => redemption.id).toSorted()).toEqual(
      [...idsOf(redemptions), parent_redemption.id].toSorted(),
    );
    expect(told.map(({ promotion_stack }) => promotion_stack)).toEqual(told.map(() => asTold(stack)));
  });

  test("tells with each of them which order it was, and what it took off", async () => {
    const stack = await aStack(api, [{}, {}]);
    const order = { source_id: "o-stack", items: [{ quantity: 1, price: 10_000 }], metadata: { gift: true } };
    const { order: left, parent_redemption } = await redeemAs("ordering", stack, { order });
    await api.post(`/v1/redemptions/${parent_redemption.id}/rollbacks`, {}, 200);
    const { id, customer_id } = left;
    const whole = { id, source_id: "o-stack", customer_id, referrer_id: null, metadata: { gift: true }, items: [{}] };
    const made = await toldTo("ordering", "customer.redemption.succeeded");
    expect(made.map((told) => told.order)).toEqual(made.map(() => expect.objectContaining({ id, status: "PAID" })));
    for (const told of made) expect(told).toMatchObject({ order: whole, redemption: { order: told.order } });
    const amounts = made.map(({ order: { total_applied_discount_amount } }) => total_applied_discount_amount);
    expect(amounts.toSorted()).toEqual([100, 200, 300]);
    const undone = await toldTo("ordering", "customer.redemption.rollback.succeeded");
    for (const told of undone) expect(told.order).toMatchObject({ ...whole, status: "CANCELED" });
  });

  test("tells of it where it has one tier, and names its category", async () => {
    const { id: category_id } = (await api.post("/v1/categories", { name: "Sale", hierarchy: 1 }, 200)).body;
    const stack = await aStack(api, [{}], { category_id });
    await redeemAs("single", stack);
    expect(await stacksTold("single", "customer.redemption.succeeded")).toEqual([{ ...asTold(stack), category_id }]);
  });

  test("tells of it when a tier refuses, and of none when nobody knows the stack", async () => {
    for (const source_id of ["refused", "lost"]) await api.post("/v1/customers", { source_id }, 200);
    const stack = await aStack(api, [{ active: false }, {}]);
    await redeemAs("refused", stack, {}, 400);
    expect(await stacksTold("refused", "customer.redemption.failed")).toEqual([asTold(stack)]);
    await redeemAs("lost", { id: "stack_none" }, {}, 404);
    expect(await stacksTold("lost", "customer.redemption.failed")).toEqual([null]);
  });

  test("tells of it when it is undone, and when that is refused", async () => {
    const stack = await aStack(api, [{}, {}]);
    const { parent_redemption } = await redeemAs("undone", stack);
    await api.post(`/v1/redemptions/${parent_redemption.id}/rollbacks`, {}, 200);
    await api.post(`/v1/redemptions/${parent_redemption.id}/rollbacks`, {}, 400);
    const told = await stacksTold("undone", "customer.redemption.rollback.succeeded");
    expect(told).toEqual([asTold(stack), asTold(stack), asTold(stack)]);
    expect(await stacksTold("undone", "customer.redemption.rollback.failed")).toEqual([asTold(stack)]);
  });

  test("tells of none where its tiers were asked for by themselves", async () => {
    const { ids } = await tiersOf(api, [{}, {}]);
    const redeemables = ids.map((id) => ({ object: "promotion_tier", id }));
    await redeemAs("loose", { id: "" }, { redeemables });
    expect(await stacksTold("loose", "customer.redemption.succeeded")).toEqual([null, null, null]);
  });
});

describe("a stack that was redeemed", () => {
  test("is told with the tiers that it has by now", async () => {
    const stack = await aStack(api, [{}, {}]);
    await redeemAs("later", stack);
    const tiers = [...stack.tiers].reverse();
    await api.put(`/v1/promotions/${stack.campaign_id}/stacks/${stack.id}`, { tiers: { ids: tiers } }, 200);
    const told = await stacksTold("later", "customer.redemption.succeeded");
    expect(told).toEqual(told.map(() => asTold({ ...stack, tiers })));
  });

  test("can be deleted: what came of it is told by its id, and can be undone", async () => {
    const stack = await aStack(api, [{}, {}]);
    const { parent_redemption } = await redeemAs("gone", stack);
    await api.delete(`/v1/promotions/${stack.campaign_id}/stacks/${stack.id}`, 204);
    await api.post(`/v1/redemptions/${parent_redemption.id}/rollbacks`, {}, 200);
    for (const name of ["customer.redemption.succeeded", "customer.redemption.rollback.succeeded"]) {
      const told = await toldTo("gone", name);
      expect(told.map(({ promotion_tier, promotion_stack }) => [promotion_tier !== null, promotion_stack])).toEqual(
        expect.arrayContaining([
          [true, { id: stack.id, campaign: { id: stack.campaign_id } }],
          [false, { id: stack.id }],
        ]),
      );
    }
  });
});
