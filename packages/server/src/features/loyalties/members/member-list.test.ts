import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";

const service = await startService();
const { api, clock } = service;

describe("the members of a program", () => {
  test("are the cards that somebody holds, newest first, filtered and paged", async () => {
    const program = await aProgram(service, { type: "STATIC" });
    for (const code of ["M-1", "M-2", "M-3"]) {
      clock.advance({ minutes: 1 });
      await api.post(`/v1/campaigns/${program.id}/vouchers/${code}`, {}, 200);
    }
    const { source_id, card } = await aMember(service, program);
    const second = await aMember(service, program);
    const codes = async (query = "") => {
      const { body } = await api.get(`/v1/loyalties/${program.name}/members${query}`, 200);
      expect(body).toMatchObject({ object: "list", data_ref: "vouchers" });
      return body.vouchers.map(({ code }: { code: string }) => code);
    };
    expect(await codes()).toEqual(["M-2", "M-1"]);
    expect(await codes("?order=code")).toEqual(["M-1", "M-2"]);
    expect(await codes("?limit=1&page=2")).toEqual(["M-1"]);
    expect(await codes(`?customer=${encodeURIComponent(source_id)}`)).toEqual(["M-1"]);
    expect(await codes("?code=M-2")).toEqual(["M-2"]);
    expect(await codes("?code=M-3")).toEqual([]);
    expect(await codes(`?ids=${card.id}`)).toEqual(["M-1"]);
    expect(second.card.code).toBe("M-2");
    await api.get(`/v1/loyalties/${program.id}/members?limit=0`, 400);
  });

  test("are read by code and by id, in their own program or without one", async () => {
    const program = await aProgram(service);
    const other = await aProgram(service);
    const { card } = await aMember(service, program);
    for (const name of [card.code, card.id]) {
      expect((await api.get(`/v1/loyalties/members/${name}`, 200)).body).toEqual(card);
      expect((await api.get(`/v1/loyalties/${program.id}/members/${name}`, 200)).body).toEqual(card);
    }
    const unknown = (await api.get(`/v1/loyalties/${other.id}/members/${card.id}`, 404)).body;
    expect(unknown).toMatchObject({ key: "not_found", resource_type: "voucher", resource_id: card.id });
    expect((await api.get(`/v1/loyalties/none/members/${card.id}`, 404)).body.resource_type).toBe("campaign");
    await api.post("/v1/vouchers/NOCARD", { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
    await api.get("/v1/loyalties/members/NOCARD", 404);
    const stranger = await service.anotherProject();
    await stranger.api.get(`/v1/loyalties/members/${card.id}`, 404);
  });

  test("cannot redeem a card without naming a reward", async () => {
    const { card, source_id } = await aMember(service, await aProgram(service, {}, 50));
    const { body } = await api.post(
      `/v1/redemptions`,
      { redeemables: [{ object: "voucher", id: card.code }], customer: { source_id }, order: { amount: 1000 } },
      400,
    );
    expect(body.key).toBe("missing_reward");
    expect((await api.get(`/v1/loyalties/members/${card.id}`, 200)).body.loyalty_card.balance).toBe(50);
  });
});
