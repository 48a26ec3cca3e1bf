import { localDay } from "../../../books/index.js";
import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { readBounded } from "../../../platform/listing/index.js";
import { knownCampaign } from "../../campaigns/index.js";
import type { Call } from "../../projects/index.js";
import { type CountedFact, type HourTotal, listHours, listRefusalKeys } from "../../totals/index.js";
import { type Sums, type Window, windows } from "./overview.schemas.js";
import { countActiveCampaigns, countAlerts, listDaysOfCampaign, listTopCampaigns } from "./overview.store.js";

const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;
const campaigns_max = 5;
const keys_max = 10;

/** How a project is doing: sums of what was counted by the hour, beside the same of the time before. */
export async function readOverview({ db }: Context, { project_id, project, instant }: Call, window: Window = "30d") {
  const { from, to, before } = timeOf(instant, window);
  const dayAt = (at: Instant) => localDay(at, project.timezone);
  const [hours, refusals, top_campaigns, active_campaigns, alerts] = await readBounded(db, (queries) =>
    Promise.all([
      listHours(queries, project_id, { from: before, to }),
      listRefusalKeys(queries, project_id, { from, to, keys_max }),
      listTopCampaigns(queries, project_id, {
        // As many days as the window touches, its first and its last among them.
        ...{ before: dayAt(before - day_ms), start: dayAt(from), end: dayAt(instant), campaigns_max },
      }),
      countActiveCampaigns(queries, project_id, instant),
      countAlerts(queries, project_id, { now: instant, since: instant - day_ms, soon: instant + 7 * day_ms }),
    ]),
  );
  const shown = hours.filter(({ hour }) => hour >= from);
  const placeOf = window === "24h" ? isoOf : dayAt;
  return {
    ...{ from: isoOf(from), to: isoOf(to) },
    tiles: sumsOf(shown),
    before: sumsOf(hours.filter(({ hour }) => hour < from)),
    trend: trendOf(shown, from, to, placeOf),
    ...{ top_campaigns, active_campaigns, refusals, alerts },
  };
}

/** What happened in a campaign, day by day. */
export async function readNumbers({ db }: Context, call: Call, id_or_name: string, window: Window = "30d") {
  const { project_id, project, instant } = call;
  const { id } = await knownCampaign(db, project_id, id_or_name);
  const { from } = timeOf(instant, window);
  const [start, end] = [localDay(from, project.timezone), localDay(instant, project.timezone)];
  return { days: await listDaysOfCampaign(db, project_id, { campaign_id: id, start, end }) };
}

/** Whole hours: the one that runs is the last. */
function timeOf(instant: Instant, window: Window) {
  const to = (Math.floor(instant / hour_ms) + 1) * hour_ms;
  const length = windows[window] * hour_ms;
  return { to, from: to - length, before: to - 2 * length };
}

const counters: Record<CountedFact, "redemptions" | "refusals" | "rollbacks" | "publications" | "customers"> = {
  redemption: "redemptions",
  refusal: "refusals",
  rollback: "rollbacks",
  publication: "publications",
  customer: "customers",
};

type Hour = Omit<HourTotal, "key">;

function sumsOf(hours: readonly Hour[]): Sums {
  const sums: Sums = {
    ...{ redemptions: 0, refusals: 0, rollbacks: 0, publications: 0, customers: 0 },
    ...{ orders_amount: 0, discount_amount: 0, rolledback_discount_amount: 0 },
  };
  for (const { what, count, orders_amount, discount_amount } of hours) {
    sums[counters[what]] += count;
    if (what === "redemption") {
      sums.orders_amount += orders_amount;
      sums.discount_amount += discount_amount;
    }
    if (what === "rollback") sums.rolledback_discount_amount += discount_amount;
  }
  for (const money of ["orders_amount", "discount_amount", "rolledback_discount_amount"] as const)
    sums[money] = Math.min(sums[money], Number.MAX_SAFE_INTEGER);
  return sums;
}

/** Every hour or day of the window, also those on which nothing happened: a line has no gaps. */
function trendOf(hours: readonly Hour[], from: Instant, to: Instant, placeOf: (at: Instant) => string) {
  const places = new Map<string, Hour[]>();
  for (let at = from; at < to; at += hour_ms) places.set(placeOf(at), []);
  for (const hour of hours) places.get(placeOf(hour.hour))?.push(hour);
  return [...places].map(([at, within]) => ({ at, ...sumsOf(within) }));
}
