import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DueWebhook,
  in_flight_max,
  of_failing_webhook_max,
  of_project_max,
  of_webhook_max,
  sharesOf,
  to_failing_max,
} from "./shares.js";

const webhook = (project: number, number: number, is_failing = false, due = 100): DueWebhook => ({
  project_id: `proj_${project}`,
  webhook_id: `wh_${project}_${number}`,
  is_failing,
  due,
});
const many = <One>(count: number, make: (i: number) => One) => Array.from({ length: count }, (_, i) => make(i));
const given = (due: DueWebhook[], in_flight: DueWebhook[] = []) =>
  new Map(sharesOf(due, in_flight).map(({ webhook_id, rows_max }) => [webhook_id, rows_max]));

describe("what is sent at once", () => {
  test("is so much to a webhook, and less to one that fails", () => {
    expect(given([webhook(1, 1), webhook(1, 2, true), webhook(1, 3, false, 2)])).toEqual(
      new Map([
        ["wh_1_1", of_webhook_max],
        ["wh_1_2", of_failing_webhook_max],
        ["wh_1_3", 2],
      ]),
    );
  });

  test("counts what is under way", () => {
    expect(
      given([webhook(1, 1), webhook(1, 2, true)], [webhook(1, 1), webhook(1, 2, true), webhook(1, 2, true)]),
    ).toEqual(new Map([["wh_1_1", of_webhook_max - 1]]));
  });

  test("leaves half of the room to those who answer, however many webhooks do not", () => {
    const dead = many(1_000, (i) => webhook(i, 1, true));
    const shares = given([...dead, webhook(2_000, 1), webhook(2_001, 1)]);
    expect([...shares.values()].reduce((sum, one) => sum + one)).toBe(to_failing_max + 2 * of_webhook_max);
    expect(shares.get("wh_2000_1")).toBe(of_webhook_max);
    expect(shares.get("wh_2001_1")).toBe(of_webhook_max);
  });

  test("leaves room for a project beside one that has much to send", () => {
    const shares = given([...many(50, (i) => webhook(1, i)), webhook(2, 1)]);
    expect(shares.get("wh_2_1")).toBe(of_webhook_max);
  });

  test("is never more than there may be of anybody, and as much as there may be", () => {
    const webhooks = fc.array(
      fc.record({
        project: fc.nat(4),
        number: fc.nat(9),
        is_failing: fc.boolean(),
        due: fc.integer({ min: 1, max: 12 }),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(webhooks, (made) => {
        const by_id = new Map(made.map((one) => [`${one.project}_${one.number}`, one]));
        const due = [...by_id.values()].map((one) => webhook(one.project, one.number, one.is_failing, one.due));
        const shares = given(due);
        const sum = (of: DueWebhook[]) => of.reduce((all, { webhook_id }) => all + (shares.get(webhook_id) ?? 0), 0);
        const failing = due.filter(({ is_failing }) => is_failing);
        expect(sum(due)).toBeLessThanOrEqual(in_flight_max);
        expect(sum(failing)).toBeLessThanOrEqual(to_failing_max);
        for (const one of due) {
          const project = due.filter(({ project_id }) => project_id === one.project_id);
          const own_max = Math.min(one.due, one.is_failing ? of_failing_webhook_max : of_webhook_max);
          expect(sum(project)).toBeLessThanOrEqual(of_project_max);
          expect(sum([one])).toBeLessThanOrEqual(own_max);
          const is_full =
            sum(due) === in_flight_max ||
            sum(project) === of_project_max ||
            (one.is_failing && sum(failing) === to_failing_max);
          if (!is_full) expect(sum([one])).toBe(own_max);
        }
      }),
    );
  });
});
