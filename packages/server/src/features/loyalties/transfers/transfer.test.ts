import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { api, clock, context, project } = service;

const twoMonths = { period_type: "MONTH", period_value: 2 };
const aDatedProgram = (expiration_rules: object | null = null) =>
  aProgram(service, { voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0, expiration_rules } } });

async function aCard(program: { id: string; name: string }, points = 0) {
  const { card } = await aMember(service, program);
  if (points > 0) await api.post(`/v1/loyalties/members/${card.code}/balance`, { points }, 200);
  return card;
}

const transfer = (program: { id: string }, to: { code: string }, sent: unknown, status = 200) =>
  api.post(`/v1/loyalties/${program.id}/members/${to.code}/transfers`, sent, status);
const pointsOn = async (card: { id: string }) =>
  (await api.get(`/v1/loyalties/members/${card.id}`, 200)).body.loyalty_card;
const entriesOf = async (card: { id: string }) =>
  (await api.get(`/v1/loyalties/members/${card.id}/transactions?order=id`, 200)).body.data;

describe("points handed over to another card (loyalty.md §3.2)", () => {
  test("come from several cards, each with two lines in the books that name each other", async () => {
    const [program, other] = [await aDatedProgram(twoMonths), await aDatedProgram()];
    const [a, b, to] = [await aCard(other, 75), await aCard(program, 40), await aCard(program, 10)];
    const { body } = await transfer(program, to, [
      { code: a.code, points: 25, reason: "family", source_id: "t-1" },
      { code: b.id, points: 40, source_id: "t-2" },
    ]);
    expect(body).toMatchObject({
      id: to.id,
      object: "voucher",
      loyalty_card: { points: 75, balance: 75, next_expiration_date: "2027-07-14", next_expiration_points: 75 },
    });
    expect(await pointsOn(a)).toMatchObject({ points: 75, balance: 50, subtracted_points: 25 });
    expect(await pointsOn(b)).toMatchObject({ points: 40, balance: 0, subtracted_points: 40 });
    const [, out] = await entriesOf(a);
    const [, into] = await entriesOf(to);
    expect(out).toMatchObject({
      type: "POINTS_TRANSFER_OUT",
      reason: "family",
      source_id: "t-1",
      source: "API",
      related_transaction_id: into.id,
      details: { balance: { points: -25, balance: 50, total: 50 }, destination_voucher: { id: to.id, code: to.code } },
    });
    expect(into).toMatchObject({
      type: "POINTS_TRANSFER_IN",
      reason: "family",
      source_id: "t-1",
      related_transaction_id: out.id,
      details: { balance: { points: 25, balance: 35, total: 35 }, source_voucher: { id: a.id, code: a.code } },
    });
    expect(await entriesOf(to)).toHaveLength(3);
  });

  test("lose their dates: they expire by the rules of the program that they come to", async () => {
    clock.set("2027-05-14T12:00:00Z");
    const [program, other] = [await aDatedProgram(twoMonths), await aDatedProgram()];
    const [from, to] = [await aCard(program, 30), await aCard(other)];
    clock.set("2027-06-01T12:00:00Z");
    await transfer(other, to, [{ code: from.code, points: 10, source_id: "t" }]);
    expect(await pointsOn(to)).toMatchObject({ next_expiration_date: null, next_expiration_points: 10 });
    await transfer(program, from, [{ code: to.code, points: 10, source_id: "t" }]);
    const { body } = await api.get(`/v1/loyalties/${program.id}/members/${from.id}/points-expiration`, 200);
    expect(body.data.map((it: { expires_at: string; bucket: object }) => [it.expires_at, it.bucket])).toEqual([
      ["2027-07-14", { total_points: 20 }],
      ["2027-08-01", { total_points: 10 }],
    ]);
    clock.set("2027-05-14T12:00:00Z");
  });

  test("are told to both members, and leave the sum of all cards as it was", async () => {
    const program = await aDatedProgram();
    const [a, b] = [await aCard(program, 20), await aCard(program, 20)];
    const back_and_forth = (from: { code: string }, to: { code: string }) =>
      api.post(`/v1/loyalties/${program.id}/members/${to.code}/transfers`, [
        { code: from.code, points: 7, source_id: "t" },
      ]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? back_and_forth(a, b) : back_and_forth(b, a))),
    );
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    const [on_a, on_b] = [await pointsOn(a), await pointsOn(b)];
    expect(on_a.balance + on_b.balance).toBe(40);
    const told = await context.db.one<{ count: number }>(sql`
      select count(*) as count from events
       where events.project_id = ${project.id} and events.type = 'voucher.loyalty_card.points_transferred'
         and events.entity_id = any(${[a.id, b.id]}::text[])`);
    expect(told.count).toBe(2 * answers.filter(({ status }) => status === 200).length);
  });

  test("are handed over all or not at all", async () => {
    const program = await aDatedProgram();
    const [a, b, to] = [await aCard(program, 20), await aCard(program, 5), await aCard(program)];
    const item = (code: string, points: unknown, more: object = {}) => ({ code, points, source_id: "t", ...more });
    const { body: nobodys } = await api.post(`/v1/campaigns/${program.id}/vouchers`, {}, 200);
    const refused = async (sent: unknown, status: number, says: object) =>
      expect((await transfer(program, to, sent, status)).body).toMatchObject(says);
    const exceeded = { key: "loyalty_card_points_exceeded" };
    await refused([item(a.code, 20), item(b.code, 6)], 400, exceeded);
    await refused([item(a.code, 15), item(a.code, 6)], 400, exceeded);
    await refused([item(a.code, 1), item("NOBODY", 1)], 404, { resource_type: "voucher" });
    await refused([item(a.code, 1), item(nobodys.code, 1)], 400, { key: "invalid_add_balance_params" });
    await refused([item(a.code, 1), item(to.id, 1)], 400, {
      key: "invalid_payload",
      details: "Property [1].code must not be the receiving card",
    });
    for (const points of [0, -1, 1.5, "5", null])
      await refused([item(a.code, points)], 400, { key: "invalid_payload" });
    await refused([], 400, { key: "invalid_payload" });
    await refused(item(a.code, 1), 400, { key: "invalid_payload" });
    await refused([{ code: a.code, points: 1 }], 400, { key: "invalid_payload" });
    await transfer({ id: "none" }, to, [item(a.code, 1)], 404);
    await transfer(await aDatedProgram(), to, [item(a.code, 1)], 404);
    expect(await pointsOn(a)).toMatchObject({ balance: 20, subtracted_points: 0 });
    expect(await pointsOn(to)).toMatchObject({ points: 0, balance: 0 });
  });
});
