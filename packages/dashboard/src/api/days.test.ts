import { expect, test } from "vitest";
import { dayEnd, dayStart } from "./days.js";

test.each`
  day             | zone                  | start                         | end
  ${"2026-11-06"} | ${"UTC"}              | ${"2026-11-06T00:00:00.000Z"} | ${"2026-11-06T23:59:59.000Z"}
  ${"2026-11-06"} | ${"Europe/Berlin"}    | ${"2026-11-05T23:00:00.000Z"} | ${"2026-11-06T22:59:59.000Z"}
  ${"2026-03-29"} | ${"Europe/Berlin"}    | ${"2026-03-28T23:00:00.000Z"} | ${"2026-03-29T21:59:59.000Z"}
  ${"2026-10-25"} | ${"Europe/Berlin"}    | ${"2026-10-24T22:00:00.000Z"} | ${"2026-10-25T22:59:59.000Z"}
  ${"2026-11-06"} | ${"America/New_York"} | ${"2026-11-06T05:00:00.000Z"} | ${"2026-11-07T04:59:59.000Z"}
`("$day begins and ends where $zone says, clock changes or not", ({ day, zone, start, end }) => {
  expect(dayStart(day, zone)).toBe(start);
  expect(dayEnd(day, zone)).toBe(end);
});
