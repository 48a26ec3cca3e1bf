import { describe, expect, test } from "vitest";
import type { Answer } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";

const { api, clock, context, project } = await startService();

let made = 0;
/** A voucher of its own for each test: ten per cent off unless said otherwise. */
async function aVoucher(fields: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const discount = { type: "PERCENT", percent_off: 10 };
  const body = { ...("gift" in fields ? {} : { discount }), ...fields };
  return (await api.post(`/v1/vouchers/CODE-${made}`, body, 200)).body.code;
}

const redeem = (code: string, more: Record<string, unknown> = {}, status?: number): Promise<Answer> =>
  api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], ...more }, status);
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort();

describe("redeeming a voucher", () => {
  test("takes its discount off the order, stores the order as paid and counts the use", async () => {
    const code = await aVoucher({ redemption: { quantity: 2 } });
    const { body } = await redeem(
      code,
      { order: { amount: 5000 }, customer: { source_id: "buyer", name: "Ann" } },
      200,
    );
    const [redemption] = body.redemptions;
    expect(redemption).toMatchObject({
      object: "redemption",
      result: "SUCCESS",
      status: "SUCCEEDED",
      redemption: null,
      related_object_type: "voucher",
      voucher: { code, redemption: { quantity: 2, redeemed_quantity: 1 } },
      customer: { source_id: "buyer", name: "Ann", object: "customer" },
      order: { amount: 5000, discount_amount: 500, total_amount: 4500, applied_discount_amount: 500, status: "PAID" },
    });
    expect(body).toMatchObject({ inapplicable_redeemables: [], skipped_redeemables: [] });
    expect(body).not.toHaveProperty("parent_redemption");
    expect(body.order.redemptions[redemption.id]).toMatchObject({ related_object_type: "voucher" });
    expect((await api.get(`/v1/redemptions/${redemption.id}`, 200)).body).toEqual(redemption);
    expect((await api.get(`/v1/orders/${body.order.id}`, 200)).body).toMatchObject({
      total_amount: 4500,
      status: "PAID",
    });
  });

  test("is refused past its quantity, and the refusal is on record", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    await redeem(code, {}, 200);
    const { body } = await redeem(code, {}, 400);
    expect(body).toMatchObject({
      code: 400,
      key: "quantity_exceeded",
      message: "quantity exceeded",
      details: code,
      resource_type: "redemption",
    });
    const record = await api.get(`/v1/redemptions/${body.resource_id}`, 200);
    expect(record.body).toMatchObject({
      result: "FAILURE",
      status: "FAILED",
      failure_code: "quantity_exceeded",
      order: null,
    });
  });

  test("of an unknown code names the code", async () => {
    const { body } = await redeem("NOBODY", {}, 404);
    expect(body).toMatchObject({
      key: "not_found",
      details: "Cannot find voucher with id NOBODY",
      resource_id: "NOBODY",
      resource_type: "voucher",
    });
  });

  test.each([
    ["voucher_disabled", { active: false }],
    ["voucher_not_active", { start_date: "2026-03-03" }],
    ["voucher_expired", { expiration_date: "2026-03-01" }],
    ["voucher_not_active_now", { validity_day_of_week: [0, 6] }],
  ])("is refused with %s", async (key, fields) => {
    const code = await aVoucher(fields);
    expect((await redeem(code, {}, 400)).body).toMatchObject({ key, details: code });
  });

  test("makes a parent and a child for each when two are redeemed together", async () => {
    const codes = [await aVoucher(), await aVoucher({ discount: { type: "AMOUNT", amount_off: 700 } })];
    const redeemables = codes.map((id) => ({ object: "voucher", id }));
    const { body } = await api.post("/v1/redemptions", { redeemables, order: { amount: 10_000 } }, 200);
    expect(body.parent_redemption.order).toMatchObject({ total_amount: 8300, total_applied_discount_amount: 1700 });
    expect(body.redemptions.map((child: { redemption: string }) => child.redemption)).toEqual([
      body.parent_redemption.id,
      body.parent_redemption.id,
    ]);
    expect(body.redemptions[0].order).toMatchObject({ total_amount: 9000, applied_discount_amount: 1000 });
    expect(body.redemptions[1].order).toMatchObject({ total_amount: 8300, applied_discount_amount: 700 });
    const [entry] = Object.values(body.order.redemptions) as { stacked: string[] }[];
    expect(entry?.stacked).toEqual(body.redemptions.map((child: { id: string }) => child.id));
  });

  test("fails as a whole when one of two fails, and neither is used", async () => {
    const [good, bad] = [await aVoucher(), await aVoucher({ active: false })];
    await api.post("/v1/redemptions", { redeemables: [good, bad].map((id) => ({ object: "voucher", id })) }, 400);
    expect((await api.get(`/v1/vouchers/${good}`, 200)).body.redemption.redeemed_quantity).toBe(0);
  });

  test("twice in one request is refused, by code or by id", async () => {
    const code = await aVoucher();
    const { id } = (await api.get(`/v1/vouchers/${code}`, 200)).body;
    for (const pair of [
      [code, code],
      [code, id],
    ]) {
      const { body } = await api.post(
        "/v1/redemptions",
        { redeemables: pair.map((one) => ({ object: "voucher", id: one })) },
        400,
      );
      expect(body.key).toBe("duplicated_redeemables");
    }
  });
});

describe("a gift card", () => {
  test("pays with its credits, and its balance, its entries and the order agree", async () => {
    const code = await aVoucher({ gift: { amount: 5000 } });
    const { body } = await redeem(code, { order: { amount: 3000 } }, 200);
    expect(body.redemptions[0]).toMatchObject({
      amount: 3000,
      gift: { amount: 3000 },
      voucher: { gift: { amount: 5000, balance: 2000 } },
    });
    expect(body.order.total_amount).toBe(0);
    const { rows } = {
      rows: await context.db.many<{ sum: number; balance: number; opening: number }>(
        (await import("../../platform/db/sql.js")).sql`
        select card_balances.balance, card_balances.opening,
               (select coalesce(sum(ledger_entries.amount), 0)::bigint from ledger_entries
                 where ledger_entries.project_id = ${project.id} and ledger_entries.voucher_id = card_balances.voucher_id) as sum
          from card_balances where card_balances.project_id = ${project.id} and card_balances.voucher_id = ${body.redemptions[0].voucher.id}`,
      ),
    };
    expect(rows).toEqual([{ balance: 2000, opening: 5000, sum: -3000 }]);
  });

  test("is refused when more is asked than it holds, and capped when more than is left to pay", async () => {
    const code = await aVoucher({ gift: { amount: 1000 } });
    const ask = (credits: number, amount: number) =>
      api.post("/v1/redemptions", {
        redeemables: [{ object: "voucher", id: code, gift: { credits } }],
        order: { amount },
      });
    expect((await ask(1001, 5000)).body.key).toBe("gift_amount_exceeded");
    expect((await ask(900, 600)).body.redemptions[0].amount).toBe(600);
    expect((await redeem(code, {}, 400)).body.key).toBe("missing_order");
  });
});

describe("whatever runs at once", () => {
  test("a voucher with quantity 10 is redeemed ten times by 64 requests", async () => {
    const code = await aVoucher({ redemption: { quantity: 10 } });
    const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(code, { order: { amount: 1000 } })));
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(10);
    expect(new Set(answers.filter(({ status }) => status === 400).map(({ body }) => body.key))).toEqual(
      new Set(["quantity_exceeded"]),
    );
    expect((await api.get(`/v1/vouchers/${code}`, 200)).body.redemption.redeemed_quantity).toBe(10);
  });

  test("a gift card never pays more than it holds", async () => {
    const code = await aVoucher({ gift: { amount: 1000 } });
    const ask = () =>
      api.post("/v1/redemptions", {
        redeemables: [{ object: "voucher", id: code, gift: { credits: 300 } }],
        order: { amount: 300 },
      });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await api.get(`/v1/vouchers/${code}`, 200)).body.gift.balance).toBe(100);
  });

  test("a redemption is rolled back once by 20 requests", async () => {
    const code = await aVoucher({ redemption: { quantity: 1 } });
    const { id } = (await redeem(code, { order: { amount: 1000 } }, 200)).body.redemptions[0];
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(`/v1/redemptions/${id}/rollback`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const told = answers.filter(({ status }) => status !== 200).map(({ body }) => body.key);
    expect(told.filter((key) => key !== "already_rolled_back" && key !== "multiple_requests")).toEqual([]);
    expect((await api.get(`/v1/vouchers/${code}`, 200)).body.redemption.redeemed_quantity).toBe(0);
  });

  test("one customer is made by 64 redemptions with one new source id", async () => {
    const code = await aVoucher();
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => redeem(code, { customer: { source_id: "newcomer" } }, 200)),
    );
    expect(new Set(answers.map(({ body }) => body.redemptions[0].customer_id)).size).toBe(1);
  });
});

describe("a rollback", () => {
  test("gives back the use, the credits and the order's discounts, and lets the voucher be redeemed again", async () => {
    const code = await aVoucher({ gift: { amount: 5000 }, redemption: { quantity: 1 } });
    const redeemed = (await redeem(code, { order: { amount: 3000 }, customer: { source_id: "returner" } }, 200)).body;
    const { id } = redeemed.redemptions[0];
    clock.advance({ days: 1 });
    const { body } = await api.post(`/v1/redemptions/${id}/rollback`, { reason: "sent back" }, 200);
    expect(body).toMatchObject({
      object: "redemption_rollback",
      redemption: id,
      amount: -3000,
      gift: { amount: -3000 },
      reason: "sent back",
      result: "SUCCESS",
      status: "SUCCEEDED",
      voucher: { gift: { balance: 5000 }, redemption: { redeemed_quantity: 0 } },
      order: { status: "CANCELED", amount: 3000, total_amount: 3000 },
    });
    const original = (await api.get(`/v1/redemptions/${id}`, 200)).body;
    expect(original).toMatchObject({
      status: "ROLLED_BACK",
      result: "SUCCESS",
      related_redemptions: { rollbacks: [{ id: body.id }] },
    });
    const order = (await api.get(`/v1/orders/${redeemed.order.id}`, 200)).body;
    expect(order).toMatchObject({
      status: "CANCELED",
      total_amount: 3000,
      redemptions: { [id]: { rollback_id: body.id } },
    });
    await redeem(code, { order: { amount: 100 } }, 200);
  });

  test("of a stack undoes all of it, and only the plural call may", async () => {
    const codes = [await aVoucher(), await aVoucher({ discount: { type: "AMOUNT", amount_off: 700 } })];
    const redeemables = codes.map((id) => ({ object: "voucher", id }));
    const stack = (await api.post("/v1/redemptions", { redeemables, order: { amount: 10_000 } }, 200)).body;
    const parent = stack.parent_redemption.id;
    expect((await api.post(`/v1/redemptions/${parent}/rollback`, {}, 400)).body.key).toBe("invalid_redemption");
    const child = stack.redemptions[0].id;
    expect((await api.post(`/v1/redemptions/${child}/rollbacks`, {}, 400)).body.key).toBe("invalid_redemption_parent");
    const { body } = await api.post(`/v1/redemptions/${parent}/rollbacks`, {}, 200);
    expect(body.rollbacks).toHaveLength(2);
    expect(body.parent_rollback).toMatchObject({
      redemption: parent,
      order: { status: "CANCELED", total_amount: 10_000 },
    });
    expect((await api.post(`/v1/redemptions/${parent}/rollbacks`, {}, 400)).body).toMatchObject({
      key: "already_rolled_back",
      resource_type: "redemption_rollback",
    });
  });

  test.each([
    ["an unknown customer", { customer: { source_id: "who" } }, 404, "not_found"],
    ["another customer", { customer: { source_id: "stranger" } }, 400, "invalid_customer"],
    ["another order", { order: { id: "ord_other" } }, 400, "invalid_order"],
  ])("is refused to %s", async (_name, input, status, key) => {
    await api.post("/v1/customers", { source_id: "stranger" }, 200);
    const code = await aVoucher();
    const { id } = (await redeem(code, { order: { amount: 1000 }, customer: { source_id: "owner" } }, 200)).body
      .redemptions[0];
    expect((await api.post(`/v1/redemptions/${id}/rollback`, input, status)).body.key).toBe(key);
  });

  test("comes too late after three months, and says so on record", async () => {
    const code = await aVoucher();
    const { id } = (await redeem(code, {}, 200)).body.redemptions[0];
    clock.advance({ days: 93 });
    const { body } = await api.post(`/v1/redemptions/${id}/rollback`, {}, 400);
    expect(body.key).toBe("invalid_redemption");
    expect((await api.get(`/v1/redemptions/${body.resource_id}`, 200)).body).toMatchObject({
      object: "redemption_rollback",
      status: "FAILED",
    });
  });
});
