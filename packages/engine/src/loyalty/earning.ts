import { compileWindow } from "../calendar/window.js";
import type { ActivityWindow, Instant } from "../facts.js";

type Dates = Pick<ActivityWindow, "start_date" | "expiration_date">;

/** Everything but its validation rule that decides whether a rule pays a card (loyalty.md §4.5). */
export interface EarningFacts {
  time_zone: string;
  rule: { active: boolean; window: ActivityWindow };
  campaign: Dates & { active: boolean };
  card: Dates & { active: boolean };
}

/** What keeps a rule from paying a card, the widest first. */
export type NotEarning = "campaign" | "card" | "rule";

/**
 * What keeps a rule from paying a card at an instant; null when nothing does (loyalty.md §4.5). A rule without dates of its
 * own has the campaign's; hours and days are the rule's alone.
 */
export function notEarning({ time_zone, rule, campaign, card }: EarningFacts, instant: Instant): NotEarning | null {
  if (!campaign.active || !isBetween(campaign, instant)) return "campaign";
  if (!card.active || !isBetween(card, instant)) return "card";
  const window: ActivityWindow = {
    ...rule.window,
    start_date: rule.window.start_date ?? campaign.start_date,
    expiration_date: rule.window.expiration_date ?? campaign.expiration_date,
  };
  return rule.active && compileWindow(window, time_zone).check(instant) === null ? null : "rule";
}

/** Both dates belong to the time between them. */
const isBetween = ({ start_date, expiration_date }: Dates, instant: Instant) =>
  (start_date === null || instant >= start_date) && (expiration_date === null || instant <= expiration_date);
