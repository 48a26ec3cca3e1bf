import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { waitingPoints } from "./pending-points.fixtures.js";

const service = await startService();
const { api } = service;
const { aProgramThatWaits, told, day, nights } = waitingPoints(service);

describe("points that wait, by hand", () => {
  test("are adjusted, activated and canceled: the example of the specification", async () => {
    const one = await aProgramThatWaits({
      loyalty: {
        type: "PROPORTIONAL",
        calculation_type: "ORDER_AMOUNT",
        order: { amount: { every: 1, points: 1 } },
      },
    });
    for (const amount of [12, 8, 20]) await one.pay({ amount });
    const [third, second, first] = await one.pending();
    expect((await one.sums()).pending_points).toBe(40);
    const of_card = {
      object: "balance",
      related_object: { type: "voucher", id: one.card.id },
      operation_type: "MANUAL",
    };
    expect((await api.post(`${one.path}/${second.id}/balance`, { points: -3 }, 200)).body).toEqual({
      ...{ points: -3, total: 37 },
      ...of_card,
    });
    expect((await api.post(`${one.path}/${third.id}/activate`, {}, 200)).body).toEqual({
      ...{ points: 20, total: 20, balance: 20, type: "loyalty_card" },
      ...of_card,
    });
    expect(await one.sums()).toEqual({ points: 20, balance: 20, pending_points: 17 });
    await api.post(`${one.path}/${first.id}/cancel`, {}, 204);
    expect(await one.sums()).toEqual({ points: 20, balance: 20, pending_points: 5 });
    expect((await told(one.card.id)).slice(3)).toEqual([
      ["updated", -3, 37],
      ["activated", undefined, undefined],
      ["canceled", -12, 5],
    ]);
    const [left] = await one.pending();
    expect(left).toMatchObject({ id: second.id, points: 5, activates_at: day(2), updated_at: expect.any(String) });
  });

  test("are no more together than their card can hold with what it has", async () => {
    const one = await aProgramThatWaits();
    for (const _ of [1, 2]) await one.pay();
    await api.post(`/v1/loyalties/members/${one.card.code}/balance`, { points: 5 }, 200);
    const [second, first] = await one.pending();
    const room = Number.MAX_SAFE_INTEGER - 25;
    const adjust = ({ id }: { id: string }, points: number, status: number) =>
      api.post(`${one.path}/${id}/balance`, { points }, status);
    expect((await adjust(first, room + 1, 400)).body.key).toBe("invalid_amount");
    expect((await adjust(first, room, 200)).body.total).toBe(Number.MAX_SAFE_INTEGER - 5);
    expect((await adjust(second, 1, 400)).body.key).toBe("invalid_amount");
    await adjust(second, -1, 200);
    await nights(2);
    expect(await one.sums()).toMatchObject({ points: Number.MAX_SAFE_INTEGER - 1, pending_points: 0 });
  });

  test.each<[string, object, string]>([
    ["ACTIVATED", { points: 1 }, "activate"],
    ["CANCELED", { points: 1 }, "cancel"],
  ])("that are %s already are refused whatever is asked of them", async (status, sent, first) => {
    const one = await aProgramThatWaits();
    await one.pay();
    const path = `${one.path}/${(await one.pending())[0].id}`;
    await api.post(`${path}/${first}`, {});
    for (const [action, done] of [
      ["activate", "activated"],
      ["balance", "updated"],
      ["cancel", "canceled"],
    ]) {
      expect((await api.post(`${path}/${action}`, sent, 400)).body).toMatchObject({
        key: "invalid_pending_points_state",
        details: `Only pending points in 'PENDING' status can be ${done}. Current status: '${status}'.`,
      });
    }
  });

  test.each([
    ...[0, -10, -11, Number.MAX_SAFE_INTEGER].map((points) => [{ points }, "invalid_amount"] as const),
    ...[{ points: 1.5 }, { points: "1" }, {}].map((sent) => [sent, "invalid_payload"] as const),
  ])("cannot be adjusted by %j: %s", async (sent, key) => {
    const one = await aProgramThatWaits();
    await one.pay();
    const path = `${one.path}/${(await one.pending())[0].id}/balance`;
    expect((await api.post(path, sent, 400)).body.key).toBe(key);
    expect((await one.sums()).pending_points).toBe(10);
  });

  test("of another card, and those that nobody knows, are not found", async () => {
    const one = await aProgramThatWaits();
    const other = await aProgramThatWaits();
    await one.pay();
    const [{ id }] = await one.pending();
    for (const path of [`${other.path}/${id}`, `${one.path}/lopp_none`])
      expect((await api.post(`${path}/cancel`, {}, 404)).body.resource_type).toBe("pending_points");
    const unknown = `/v1/loyalties/members/nobody/pending-points/${id}/cancel`;
    expect((await api.post(unknown, {}, 404)).body.resource_type).toBe("voucher");
  });

  test("are given out once, however many ask at once", async () => {
    const one = await aProgramThatWaits();
    await one.pay();
    const path = `${one.path}/${(await one.pending())[0].id}`;
    const actions = ["activate", "cancel", "activate", "cancel", "activate"];
    const asked = actions.map((action) => api.post(`${path}/${action}`, {}));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    const points = statuses.includes(200) ? 10 : 0;
    expect(await one.sums()).toEqual({ points, balance: points, pending_points: 0 });
  });
});
