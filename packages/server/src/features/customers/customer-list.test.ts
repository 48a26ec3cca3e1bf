import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { anotherProject, clock } = await startService();

const idsOf = (body: { customers: { source_id: string }[] }) => body.customers.map(({ source_id }) => source_id);

describe("the list of customers", () => {
  test("walked by cursor while customers are added, meets each that was there exactly once", async () => {
    const { api } = await anotherProject();
    // All at one instant, so that only their ids tell them apart.
    const there = Array.from({ length: 25 }, (_none, i) => `c-${i}`);
    for (const source_id of there) await api.post("/v1/customers", { source_id }, 200);
    const met: string[] = [];
    let after = "";
    for (let page = 0; page < 20; page += 1) {
      const { body } = await api.get(`/v1/customers?limit=4${after && `&starting_after_id=${after}`}`, 200);
      met.push(...idsOf(body));
      if (!body.has_more) break;
      after = body.customers.at(-1).id;
      if (page % 2) clock.advance({ ms: 1 });
      await api.post("/v1/customers", { source_id: `late-${page}` }, 200);
    }
    expect(met.filter((one) => one.startsWith("c-")).sort()).toEqual([...there].sort());
  });

  test("says whether there is more, and the total before paging", async () => {
    const { api } = await anotherProject();
    for (const source_id of ["a", "b", "c"]) await api.post("/v1/customers", { source_id }, 200);
    expect((await api.get("/v1/customers?limit=2", 200)).body).toMatchObject({ has_more: true, total: 3 });
    expect((await api.get("/v1/customers?limit=2&page=2", 200)).body).toMatchObject({ has_more: false, total: 3 });
  });

  test("is told by segment: by its list, by its filter, and nobody for an unknown one", async () => {
    const { api } = await anotherProject();
    const made: { id: string }[] = [];
    for (const [source_id, city] of [
      ["a", "Oslo"],
      ["b", "Bergen"],
      ["c", "Oslo"],
    ]) {
      clock.advance({ minutes: 1 });
      made.push((await api.post("/v1/customers", { source_id, address: { city } }, 200)).body);
    }
    const segment = async (fields: object) => (await api.post("/v1/segments", { name: "s", ...fields }, 200)).body.id;
    const listed = await segment({ type: "static", customers: [made[0]!.id, made[1]!.id] });
    const filter = { junction: "and", "address.city": { conditions: { $is: ["Oslo"] } } };
    const passive = await segment({ type: "passive", filter });
    const active = await segment({ type: "auto-update", filter });
    const held = async (query: string) => idsOf((await api.get(`/v1/customers?${query}`, 200)).body);
    expect(await held(`segment_id=${listed}`)).toEqual(["b", "a"]);
    expect(await held(`segment_id=${passive}`)).toEqual(["c", "a"]);
    expect(await held(`segment_id=${active}&order=created_at&limit=1`)).toEqual(["a"]);
    expect(await held(`segment_id=${active}&city=Bergen`)).toEqual([]);
    expect(await held("segment_id=seg_none")).toEqual([]);
  });

  test.each([
    "starting_after_id=cust_none",
    "starting_after_id=cust_none&page=2",
    "starting_after_id=cust_none&order=source_id",
    "starting_after=2026-03-02T10:00:00Z&order=source_id",
  ])("refuses %s", async (query) => {
    const { api } = await anotherProject();
    expect((await api.get(`/v1/customers?${query}`, 400)).body.key).toBe("invalid_query_params");
  });
});
