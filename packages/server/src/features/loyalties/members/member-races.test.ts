import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aMember, aName, aProgram } from "../loyalty.fixtures.js";

const service = await startService();
const { api, runDue } = service;

/** A program whose cards are made ahead and are all there are. */
async function aProgramWithCards(vouchers_count: number) {
  const program = await aProgram(service, { type: "STATIC", vouchers_count });
  await runDue();
  return program;
}

describe("joining a program, whatever runs at once", () => {
  test("32 parallel calls for 20 cards give each card to one customer, and the rest are refused", async () => {
    const program = await aProgramWithCards(20);
    const answers = await Promise.all(
      Array.from({ length: 32 }, () =>
        api.post(`/v1/loyalties/${program.id}/members`, { customer: { source_id: aName("rush") } }),
      ),
    );
    const codes = answers.filter(({ status }) => status === 200).map(({ body }) => body.code);
    expect(codes).toHaveLength(20);
    expect(new Set(codes).size).toBe(20);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.key}`))).toEqual(
      new Set(["400 no_voucher_suitable_for_publication"]),
    );
  });

  test("32 parallel calls for one customer give one card", async () => {
    const program = await aProgram(service);
    const source_id = aName("eager");
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => api.post(`/v1/loyalties/${program.id}/members`, { customer: { source_id } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await api.get(`/v1/loyalties/${program.id}/members`, 200)).body.total).toBe(1);
  });

  test("32 parallel calls where none is left make 32 cards, each for one", async () => {
    const program = await aProgram(service, {
      voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 }, code_config: { length: 2, charset: "0123456789" } },
    });
    const answers = await Promise.all(Array.from({ length: 32 }, () => aMember(service, program)));
    expect(new Set(answers.map(({ card }) => card.code)).size).toBe(32);
    expect((await api.get(`/v1/loyalties/${program.id}`, 200)).body.vouchers_count).toBe(32);
  });
});
