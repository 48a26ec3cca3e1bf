import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fateOf } from "./send-out.js";

const minute = 60_000;
const hour = 60 * minute;

describe("a message that fails", () => {
  test("is tried again twelve times, at these distances from the first try", () => {
    const times: number[] = [];
    let due: number | null = 0;
    for (let attempts = 0; due !== null; attempts += 1) {
      times.push(due);
      due = fateOf({ attempts, first_attempt_at: 0, is_extra: false }, due, false).due_at;
    }
    const minutes = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440];
    expect(times).toEqual(minutes.map((one) => one * minute));
  });

  test("for the last time takes its webhook along, unless that try was asked for by hand", () => {
    const last = { attempts: 12, first_attempt_at: 0 };
    expect(fateOf({ ...last, is_extra: false }, 24 * hour, false)).toEqual({
      status: "FAILED",
      due_at: null,
      is_exhausted: true,
    });
    for (const attempts of [1, 13])
      expect(fateOf({ attempts, first_attempt_at: 0, is_extra: true }, 30 * hour, false)).toEqual({
        status: "FAILED",
        due_at: null,
        is_exhausted: false,
      });
  });

  test("is not tried twice within a minute, however late the service is", () => {
    fc.assert(
      fc.property(fc.nat(11), fc.nat(48 * hour), (attempts, tried_at) => {
        const { due_at } = fateOf({ attempts, first_attempt_at: 0, is_extra: false }, tried_at, false);
        expect(due_at).toBeGreaterThanOrEqual(tried_at + minute);
      }),
    );
  });
});

test("a message that has arrived is done, at whichever try", () => {
  fc.assert(
    fc.property(fc.nat(13), fc.boolean(), (attempts, is_extra) => {
      const fate = fateOf({ attempts, first_attempt_at: 0, is_extra }, hour, true);
      expect(fate).toEqual({ status: "SUCCEEDED", due_at: null, is_exhausted: false });
    }),
  );
});
