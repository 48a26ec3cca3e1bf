import type { TestService } from "../../../../../test/harness/service.js";
import { aMember, aProgram } from "../../loyalty.fixtures.js";

export const silver = { name: "Silver", points: { from: 100, to: 199 } };
export const gold = { name: "Gold", points: { from: 200 } };

const by_balance = (expiration_date: object) => ({
  qualification_type: "BALANCE",
  start_date: { type: "IMMEDIATE" },
  expiration_date,
});
export const by_points = (qualification_period: string, type: string, expiration_date: object) => ({
  qualification_type: "POINTS_IN_PERIOD",
  qualification_period,
  start_date: { type },
  expiration_date,
});
export const two_months = by_balance({ type: "CUSTOM", extend: "P2M" });
export const monthly = by_points("MONTH", "IMMEDIATE", { type: "END_OF_PERIOD" });

interface ClubFields {
  points?: number;
  timezone?: string;
  tiers?: object[];
}

/** Makes projects with a program of these tiers and one member, and ways to look at both. */
export const clubsOf =
  (service: TestService) =>
  async (
    loyalty_tiers_expiration: object | null,
    { points = 0, timezone = "UTC", tiers = [silver, gold] }: ClubFields = {},
  ) => {
    const { runDue } = service;
    const project = await service.anotherProject({ timezone });
    const { api } = project;
    const program = await aProgram(project, { loyalty_tiers_expiration }, points);
    const url = `/v1/loyalties/${program.id}`;
    if (tiers.length > 0) await api.post(`${url}/tiers`, tiers, 200);
    const { card, source_id } = await aMember(project, program);
    await runDue();
    const tiersNow = async () => {
      const { body } = await api.get(`/v1/loyalties/members/${card.code}/tiers`, 200);
      return body.data as { name: string; expiration?: Record<string, string> }[];
    };
    return {
      ...{ api, program, url, card, source_id, project, tiersNow },
      add: async (amount: number) => {
        await api.post(`/v1/vouchers/${card.code}/balance`, { amount }, 200);
        await runDue();
      },
      /** `Silver 2027-05-14..2027-07-14`, or `Silver` where no day ends it. */
      stays: async () =>
        (await tiersNow()).map(({ name, expiration }) =>
          expiration ? `${name} ${expiration.start_date}..${expiration.expiration_date}` : name,
        ),
      /** What the member was told, oldest first: `joined Silver`. */
      told: async () => {
        const { body } = await api.get(`/v1/customers/${source_id}/activity?limit=100&order=created_at`, 200);
        const of_tiers = body.data.filter(({ type }: { type: string }) => type.startsWith("customer.loyalty.tier."));
        return of_tiers.map(
          ({ type, data: { data } }: { type: string; data: { data: Record<string, { name: string }> } }) => {
            const tier = data.loyalty_tier ?? data.loyalty_tier_to;
            return `${type.replace("customer.loyalty.tier.", "")} ${tier?.name}`;
          },
        ) as string[];
      },
    };
  };
