import { compileWindow } from "../calendar/window.js";
import type { ActivityWindow, Instant } from "../facts.js";

type Dates = Pick<ActivityWindow, "start_date" | "expiration_date">;

/** An earning rule as far as its event and its points go; points of kinds that are not computed here are null. */
export interface EarningRuleFacts {
  active: boolean;
  window: ActivityWindow;
  fixed_points: number | null;
}

/** Everything that decides whether a rule pays a card (loyalty.md §4.5). */
export interface EarningFacts {
  time_zone: string;
  rule: EarningRuleFacts;
  campaign: Dates & { active: boolean };
  card: Dates & { active: boolean };
}

/**
 * The points that a rule pays a card at an instant; 0 when anything that must hold does not (loyalty.md §4.3, §4.5).
 * A rule without dates of its own has the campaign's; hours and days are the rule's alone.
 */
export function earnedPoints({ time_zone, rule, campaign, card }: EarningFacts, instant: Instant): number {
  if (!rule.active || !campaign.active || !card.active) return 0;
  if (!isBetween(campaign, instant) || !isBetween(card, instant)) return 0;
  const window: ActivityWindow = {
    ...rule.window,
    start_date: rule.window.start_date ?? campaign.start_date,
    expiration_date: rule.window.expiration_date ?? campaign.expiration_date,
  };
  if (compileWindow(window, time_zone).check(instant) !== null) return 0;
  return rule.fixed_points ?? 0;
}

/** Both dates belong to the time between them. */
const isBetween = ({ start_date, expiration_date }: Dates, instant: Instant) =>
  (start_date === null || instant >= start_date) && (expiration_date === null || instant <= expiration_date);
