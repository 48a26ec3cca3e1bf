import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { storedOf } from "../../../../test/harness/stored.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService();
const { project, context, runDue } = service;
const { api } = project;
const { browser } = await someoneIn(service, project.id, "USER");

const inCity = (city: string) => ({ junction: "and", "address.city": { conditions: { $is: [city] } } });
const ids: string[] = [];
for (const [name, city] of Object.entries({ Ada: "Oslo", Ben: "Oslo", Cleo: "Rome" }))
  ids.push((await api.post("/v1/customers", { name, source_id: name, address: { city } }, 200)).body.id);
const count = async (filter: object, status = 200, by = browser) =>
  (await by.post("/dashboard/v1/segments/count", { filter }, status)).body;

describe("a filter that nobody has saved", () => {
  test("is counted on all customers, and names some of those it holds; nothing is stored", async () => {
    const before = await storedOf(context, project.id);
    const counted = await count(inCity("Oslo"));
    expect(counted).toMatchObject({ held: 2, asked: 3, is_all: true });
    expect(counted.customers.map(({ name }: { name: string }) => name).sort()).toEqual(["Ada", "Ben"]);
    expect(await count(inCity("Paris"))).toEqual({ held: 0, asked: 3, is_all: true, customers: [] });
    expect(await count({ junction: "or" })).toMatchObject({ held: 3 });
    expect(await storedOf(context, project.id)).toEqual(before);
  });

  test("counts what customers did as well", async () => {
    await api.post("/v1/orders", { customer: { source_id: "Ada" }, amount: 5_000, status: "PAID" }, 200);
    const spenders = { junction: "and", "summary.orders.total_amount": { conditions: { $more_than: [4_999] } } };
    expect(await count(spenders)).toMatchObject({ held: 1, customers: [{ name: "Ada" }] });
  });

  test("asks slice after slice, each customer once", async () => {
    const other = await service.anotherProject();
    const { browser: marketer } = await someoneIn(service, other.id, "USER");
    for (let made = 0; made < 700; made += 100) {
      const many = Array.from({ length: 100 }, (_, i) => ({ source_id: `c${made + i}`, name: `C${made + i}` }));
      await other.api.post("/v1/customers/bulk/async", many, 202);
    }
    await runDue();
    const counted = await count({ junction: "and", name: { conditions: { $starts_with: ["C6"] } } }, 200, marketer);
    expect(counted).toMatchObject({ held: 111, asked: 700, is_all: true });
    expect(counted.customers).toHaveLength(5);
  });

  test("is refused as the segment would be", async () => {
    for (const filter of [{}, { junction: "xor" }, { ...inCity("x"), name: { conditions: { $like: ["a"] } } }]) {
      const { details } = await count(filter, 400);
      expect(details).toBe((await api.post("/v1/segments", { name: "s", type: "passive", filter }, 400)).body.details);
    }
  });

  test("knows nobody of another project", async () => {
    const other = await service.anotherProject();
    const { browser: stranger } = await someoneIn(service, other.id, "ADMIN");
    expect(await count(inCity("Oslo"), 200, stranger)).toEqual({ held: 0, asked: 0, is_all: true, customers: [] });
  });
});

describe("customers that somebody pastes", () => {
  const find = async (names: string[], by = browser) =>
    (await by.post("/dashboard/v1/segments/customers", { names }, 200)).body;

  test("are found by id or source id, each once, and those whom nobody knows are named", async () => {
    const { customers, unknown } = await find([ids[0] ?? "", "Ben", "Ada", "Nobody", "Ben"]);
    expect(customers.map(({ name }: { name: string }) => name)).toEqual(["Ada", "Ben"]);
    expect(unknown).toEqual(["Nobody"]);
    expect(await find([])).toEqual({ customers: [], unknown: [] });
    const many = Array.from({ length: 201 }, (_, i) => `c${i}`);
    await browser.post("/dashboard/v1/segments/customers", { names: many }, 400);
  });

  test("are nobody of another project", async () => {
    const other = await service.anotherProject();
    const { browser: stranger } = await someoneIn(service, other.id, "ADMIN");
    expect(await find([ids[0] ?? "", "Ben"], stranger)).toEqual({ customers: [], unknown: [ids[0], "Ben"] });
  });
});

describe("a segment is changed", () => {
  const aSegment = async (fields: object) => (await api.post("/v1/segments", { name: "Ours", ...fields }, 200)).body;
  const put = async (id: string, body: object, status = 200) =>
    (await browser.put(`/dashboard/v1/segments/${id}`, body, status)).body;
  const segmentsOf = async (id = "") =>
    (await api.get(`/v1/customers/${id}/segments`, 200)).body.data.map((one: { id: string }) => one.id);

  test("in its name, whatever its type, and in nothing else by that", async () => {
    for (const fields of [
      { type: "static", customers: [ids[0]] },
      { type: "passive", filter: inCity("Oslo") },
      { type: "auto-update", filter: inCity("Oslo") },
    ]) {
      const made = await aSegment(fields);
      const renamed = await put(made.id, { name: "Theirs" });
      expect(renamed).toEqual({ ...made, name: "Theirs", updated_at: expect.any(String) });
      expect((await api.get(`/v1/segments/${made.id}`, 200)).body).toEqual(renamed);
    }
    await put("seg_nobody", { name: "x" }, 404);
  });

  test("in its filter while it is passive, and holds others with the next request", async () => {
    const { id } = await aSegment({ type: "passive", filter: inCity("Oslo") });
    expect(await segmentsOf(ids[2])).not.toContain(id);
    expect(await put(id, { filter: inCity("Rome") })).toMatchObject({ name: "Ours", filter: inCity("Rome") });
    expect(await segmentsOf(ids[2])).toContain(id);
    expect((await put(id, { filter: { junction: "no" } }, 400)).details).toContain("wrong `junction`");
  });

  test("but not in the filter by which it told who entered, nor in one that it does not have", async () => {
    for (const type of ["auto-update", "static"]) {
      const { id } = await aSegment({ type, ...(type === "static" ? {} : { filter: inCity("Oslo") }) });
      const refused = await put(id, { name: "No", filter: inCity("Rome") }, 400);
      expect(refused.details).toBe(`Property .filter can be changed of a passive segment only: ${id}`);
      expect((await api.get(`/v1/segments/${id}`, 200)).body.name).toBe("Ours");
    }
    await runDue();
  });
});
