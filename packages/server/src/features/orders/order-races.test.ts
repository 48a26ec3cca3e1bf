import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api } = await startService();

describe("parallel requests", () => {
  test("with one new source id and one new customer make one order and one customer", async () => {
    const sent = {
      source_id: "rush",
      amount: 100,
      customer: { source_id: "rusher" },
      referrer: { source_id: "caller" },
    };
    const answers = await Promise.all(Array.from({ length: 32 }, () => api.post("/v1/orders", sent, 200)));
    for (const field of ["id", "customer_id", "referrer_id"]) {
      expect(new Set(answers.map(({ body }) => body[field])).size).toBe(1);
    }
  });

  test("that merge metadata into one order lose nothing", async () => {
    const { body } = await api.post("/v1/orders", {}, 200);
    const keys = Array.from({ length: 24 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => api.put(`/v1/orders/${body.id}`, { metadata: { [key]: 1 } }, 200)));
    expect(Object.keys((await api.get(`/v1/orders/${body.id}`, 200)).body.metadata).sort()).toEqual(keys.sort());
  });

  test("that want one source id for several orders give it to one", async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, () => api.post("/v1/orders", {}, 200)));
    const answers = await Promise.all(
      orders.map(({ body }) => api.put(`/v1/orders/${body.id}`, { source_id: "wanted" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });
});

describe("an order that is renamed while others name it", () => {
  test("never shares a source id, and every request finds the order that holds it", async () => {
    const { body } = await api.post("/v1/orders", { source_id: "name-a" }, 200);
    const rename = (i: number) => api.put(`/v1/orders/${body.id}`, { source_id: i % 2 ? "name-b" : "name-a" });
    const upsert = (i: number) => api.post("/v1/orders", { source_id: i % 2 ? "name-a" : "name-b", amount: i }, 200);
    const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => (i % 3 ? upsert(i) : rename(i))));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    // A name that was given up behind the last who asked for it is nobody's until now.
    const names = ["name-a", "name-b"];
    await Promise.all(names.map((source_id) => api.post("/v1/orders", { source_id }, 200)));
    const held = await Promise.all(names.map((name) => api.get(`/v1/orders/${name}`, 200)));
    expect(new Set(held.map((answer) => answer.body.id)).size).toBe(2);
  });
});
