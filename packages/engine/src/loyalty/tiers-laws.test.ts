import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { by_balance, by_points, drop, tiers } from "./tiers.fixtures.js";
import { collectedSince, moveTier, type TierFacts } from "./tiers.js";

describe("whatever happens", () => {
  const settings = fc.oneof(
    fc.constant(drop),
    fc.constantFrom("P0D", "P10D", "P2M").map((extend) => by_balance({ type: "CUSTOM", extend })),
    fc
      .tuple(
        fc.constantFrom("IMMEDIATE" as const, "NEXT_PERIOD" as const),
        fc.constantFrom("END_OF_PERIOD" as const, "END_OF_NEXT_PERIOD" as const),
        fc.constantFrom("MONTH" as const, "QUARTER" as const),
        fc.constantFrom("P0D", "P5D", "P1M"),
      )
      .map(([start, type, period, extend]) => by_points(start, { type, extend }, period)),
  );
  /** Points that come and go, and days between. */
  const story = fc.array(fc.record({ points: fc.integer({ min: -300, max: 300 }), days: fc.nat(70) }), {
    maxLength: 12,
  });

  test("a member who is looked at twice is moved once, what is told leads to where they are, and no tier ends before its day", () => {
    fc.assert(
      fc.property(settings, story, (settings, story) => {
        let standing: TierFacts["standing"] = { current: null, ahead: null };
        let balance = 0;
        let date = new Date("2027-01-01");
        const collected = new Map<string, number>();
        for (const { points, days } of story) {
          date = new Date(date.getTime() + days * 86_400_000);
          const day = date.toISOString().slice(0, 10);
          const month = `${day.slice(0, 7)}-01`;
          balance = Math.max(0, balance + points);
          if (points > 0) collected.set(month, (collected.get(month) ?? 0) + points);
          const facts = { settings, tiers, standing, balance, collected };
          const move = moveTier(facts, day);
          expect(moveTier({ ...facts, standing: move.standing }, day)).toEqual({
            standing: move.standing,
            changes: [],
          });
          let at = standing.current?.tier_id ?? null;
          for (const change of move.changes) {
            if ("from_id" in change) expect(change.from_id).toBe(at);
            else if (change.type !== "joined") expect(change.tier_id).toBe(at);
            else expect(at).toBeNull();
            at = "to_id" in change ? change.to_id : change.type === "left" ? null : change.tier_id;
          }
          expect(at).toBe(move.standing.current?.tier_id ?? null);
          const { current } = standing;
          if (current?.end && current.end >= day) {
            const now = tiers.find(({ id }) => id === move.standing.current?.tier_id);
            expect(now?.from).toBeGreaterThanOrEqual(tiers.find(({ id }) => id === current.tier_id)?.from ?? 0);
          }
          // What is read of the points collected is enough.
          const since = collectedSince(facts, day);
          const read = new Map([...collected].filter(([month]) => month >= since));
          expect(moveTier({ ...facts, collected: read }, day)).toEqual(move);
          standing = move.standing;
        }
      }),
    );
  });
});
