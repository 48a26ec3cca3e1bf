import { expect, test } from "vitest";
import { moved } from "../../ui/sortable/order.js";
import { hierarchiesTo, type Tier, tierState } from "./tiers.js";

interface Placed {
  name: string;
  hierarchy: number;
}

/** As the service places a tier: it stays where it has the number, and else all are numbered anew. */
function placed(tiers: readonly Placed[], name: string, hierarchy: number): Placed[] {
  const tier = tiers.find((one) => one.name === name);
  if (!tier || tier.hierarchy === hierarchy) return [...tiers];
  const others = tiers.filter((one) => one !== tier);
  const before = Math.min(hierarchy, others.length + 1) - 1;
  return [...others.slice(0, before), tier, ...others.slice(before)].map((one, i) => ({ ...one, hierarchy: i + 1 }));
}

test.each([[[1, 2, 3, 4]], [[2, 5, 9, 10]], [[1, 3, 4, 7]], [[3, 4, 5, 6]]])(
  "a tier of %j comes to every place that it is moved to",
  (hierarchies) => {
    const tiers = hierarchies.map((hierarchy, i) => ({ name: "abcd"[i] ?? "", hierarchy }));
    for (const from of [0, 1, 2, 3])
      for (const to of [0, 1, 2, 3].filter((one) => one !== from)) {
        const name = tiers[from]?.name ?? "";
        const after = hierarchiesTo(tiers, from, to).reduce((now, one) => placed(now, name, one), tiers as Placed[]);
        expect(after.map((one) => one.name)).toEqual(moved(tiers, from, to).map((one) => one.name));
      }
  },
);

test.each`
  fields                                            | state
  ${{}}                                             | ${"active"}
  ${{ active: false, campaign: { active: false } }} | ${"disabled"}
  ${{ campaign: { active: false } }}                | ${"with_campaign"}
  ${{ expiration_date: "2026-01-01T00:00:00Z" }}    | ${"expired"}
  ${{ start_date: "2026-03-01T00:00:00Z" }}         | ${"scheduled"}
`("a tier with $fields is $state", ({ fields, state }) => {
  const tier = { active: true, campaign: { active: true }, ...fields } as Tier;
  expect(tierState(tier, Date.parse("2026-02-01T00:00:00Z"))).toBe(state);
});
