import { describe, expect, test } from "vitest";
import type { Campaign } from "../../api/campaign.js";
import { editChanges, editFaults, editForm } from "./edit-form.js";

const berlin = { fields: { timezone: "Europe/Berlin" } } as unknown as Parameters<typeof editForm>[1];
const campaign = {
  ...{ name: "Weeks", description: "Two weeks", categories: [{ name: "Seasonal" }], metadata: { owner: "Marta" } },
  ...{ start_date: "2026-10-24T22:00:00.123Z", expiration_date: "2026-10-25T22:59:59Z" },
} as unknown as Campaign;
const opened = editForm(campaign, berlin);
const changes = (change: Partial<typeof opened>) => editChanges(opened, { ...opened, ...change }, berlin);

describe("of a campaign that is edited", () => {
  test("nothing is sent where nothing was changed, whatever a form cannot show", () => {
    expect(changes({})).toEqual({});
  });

  test("moments are shown and sent as clocks of the project show them, over the night when they change", () => {
    expect([opened.start_date, opened.expiration_date]).toEqual(["2026-10-25T00:00", "2026-10-25T23:59:59"]);
    expect(changes({ expiration_date: "2026-10-26T00:30" })).toEqual({ expiration_date: "2026-10-25T23:30:00.000Z" });
    expect(changes({ start_date: "" })).toEqual({ start_date: null });
  });

  test.each`
    change                                    | sent
    ${{ description: " " }}                   | ${{ description: null }}
    ${{ category: "" }}                       | ${{ category: null }}
    ${{ weekdays: new Set(["Sunday"]) }}      | ${{ validity_day_of_week: [0] }}
    ${{ duration: "PT1H", interval: "P2D" }}  | ${{ validity_timeframe: { duration: "PT1H", interval: "P2D" } }}
    ${{ metadata: '{"owner":"Jana","b":1}' }} | ${{ metadata: { owner: "Jana", b: 1 } }}
  `("$change is sent as $sent", ({ change, sent }) => expect(changes(change)).toEqual(sent));

  test("hours are lines, with days by any name that begins theirs", () => {
    const daily = [
      { start_time: "09:00", expiration_time: "17:00", days_of_week: [1, 0] },
      { start_time: "18:00", expiration_time: "20:00" },
    ];
    expect(changes({ hours: "09:00–17:00 mon, Sunday\n\n 18:00-20:00" })).toEqual({ validity_hours: { daily } });
    expect(editFaults({ ...opened, hours: "09:00-17:00 noon" }).hours).toContain("09:00-17:00 noon");
  });

  test.each`
    change                                     | field
    ${{ expiration_date: "2020-01-01T00:00" }} | ${"expiration_date"}
    ${{ interval: "P2D" }}                     | ${"duration"}
    ${{ duration: "P2D" }}                     | ${"interval"}
    ${{ metadata: "[]" }}                      | ${"metadata"}
  `("$change is wrong at $field", ({ change, field }) =>
    expect(Object.keys(editFaults({ ...opened, ...change }))).toEqual([field]),
  );
});
