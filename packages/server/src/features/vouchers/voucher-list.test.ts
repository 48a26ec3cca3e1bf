import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, clock, anotherProject } = await startService();

const ten_off = { type: "AMOUNT", amount_off: 1000 };
const codesOf = (body: { vouchers: { code: string }[] }) => body.vouchers.map(({ code }) => code);

describe("the list of vouchers", () => {
  test("is newest first, ordered as asked, and cut into pages that never overlap", async () => {
    const { api } = await anotherProject();
    for (const code of ["L-B", "L-A", "L-C"]) {
      clock.advance({ minutes: 1 });
      await api.post(`/v1/vouchers/${code}`, { discount: ten_off }, 200);
    }
    clock.advance({ minutes: 1 });
    await api.put("/v1/vouchers/L-A", { active: false }, 200);
    const { body } = await api.get("/v1/vouchers?limit=2", 200);
    expect(body).toMatchObject({ object: "list", data_ref: "vouchers", total: 3 });
    expect(codesOf(body)).toEqual(["L-C", "L-A"]);
    expect(codesOf((await api.get("/v1/vouchers?limit=2&page=2", 200)).body)).toEqual(["L-B"]);
    expect((await api.get("/v1/vouchers?page=99", 200)).body).toMatchObject({ vouchers: [], total: 3 });
    expect(codesOf((await api.get("/v1/vouchers?order=code", 200)).body)).toEqual(["L-A", "L-B", "L-C"]);
    expect(codesOf((await api.get("/v1/vouchers?order=-updated_at", 200)).body)[0]).toBe("L-A");
    expect(codesOf((await api.get("/v1/vouchers?order=created_at", 200)).body)).toEqual(["L-B", "L-A", "L-C"]);
  });

  test("is filtered by code, ids, category, campaign, holder and time", async () => {
    const { api } = await anotherProject();
    const made: Record<string, { id: string; created_at: string }> = {};
    for (const code of ["F1", "F2", "F3"]) {
      clock.advance({ minutes: 1 });
      made[code] = (await api.post(`/v1/vouchers/${code}`, { discount: ten_off, category: `of ${code}` }, 200)).body;
    }
    const found = async (query: string) => codesOf((await api.get(`/v1/vouchers?${query}`, 200)).body).sort();
    expect(await found("code=F2")).toEqual(["F2"]);
    expect(await found(`ids[0]=${made.F1!.id}&ids[1]=${made.F3!.id}`)).toEqual(["F1", "F3"]);
    expect(await found(`ids=${made.F1!.id},${made.F2!.id}`)).toEqual(["F1", "F2"]);
    expect(await found("category=of%20F3")).toEqual(["F3"]);
    expect(await found("category=none")).toEqual([]);
    expect(await found("campaign=none")).toEqual([]);
    expect(await found("campaign_id=camp_none")).toEqual([]);
    expect(await found("customer=nobody")).toEqual([]);
    expect(await found(`created_at[after]=${made.F1!.created_at}`)).toEqual(["F2", "F3"]);
    expect(await found(`[created_at][before]=${made.F3!.created_at}`)).toEqual(["F1", "F2"]);
  });

  test.each(["limit=0", "limit=101", "page=100", "order=name", "created_at[before]=soon"])(
    "refuses %s",
    async (query) => {
      expect((await api.get(`/v1/vouchers?${query}`, 400)).body.key).toBe("invalid_query_params");
    },
  );
});
