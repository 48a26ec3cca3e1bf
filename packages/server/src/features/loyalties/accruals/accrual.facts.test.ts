import { Work } from "@guerdon/engine";
import { expect, test } from "vitest";
import { Turns } from "../../../platform/sharing/turns.js";
import { pointsInTurn } from "./accrual.facts.js";

const stretch = 1_000;
const around = { instant: 0, time_zone: "UTC", customer: null, order: null, event_metadata: null };

/** What computing the points takes so much work in. */
function earning(units: number) {
  const work = new Work({ turn_max: stretch, decision_max: stretch });
  const compute = () => {
    work.spend(units);
    return 7;
  };
  return [{ ...around, in_collection: () => false, work }, compute] as const;
}

test("others have a turn between rules whose points take a stretch each, and wait for no small ones", async () => {
  const turns = new Turns(stretch);
  let loops = 0;
  const count = () => {
    loops += 1;
    if (loops < 10_000) setImmediate(count);
  };
  setImmediate(count);
  const loopsOf = async (units: number) => {
    const before = loops;
    for (let rule = 0; rule < 50; rule += 1)
      expect(await pointsInTurn(turns, "proj_a", ...earning(units))).toBe(units > stretch ? null : 7);
    return loops - before;
  };
  expect(await loopsOf(10)).toBe(0);
  expect(await loopsOf(stretch)).toBeGreaterThanOrEqual(49);
  expect(await loopsOf(stretch + 1)).toBeGreaterThanOrEqual(49);
  loops = 10_000;
});
