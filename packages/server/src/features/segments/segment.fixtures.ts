import type { TestProject } from "../../../test/harness/service.js";

let made = 0;

/** How tests make segments and ask who belongs. */
export function segmentCalls(api: TestProject["api"]) {
  async function aSegment(fields: object) {
    made += 1;
    return (await api.post("/v1/segments", { name: `segment ${made}`, ...fields }, 200)).body;
  }
  async function idsOf(customer: string): Promise<string[]> {
    const { body } = await api.get(`/v1/customers/${encodeURIComponent(customer)}/segments`, 200);
    return body.data.map(({ id }: { id: string }) => id);
  }
  return {
    aSegment,
    /** Of the fields all that are given must hold. */
    passive: (filter: object) => aSegment({ type: "passive", filter: { junction: "and", ...filter } }),
    aCustomer: async (fields: object = {}) => (await api.post("/v1/customers", fields, 200)).body,
    idsOf,
    holds: async (segment: { id: string }, customer: string) => (await idsOf(customer)).includes(segment.id),
  };
}
