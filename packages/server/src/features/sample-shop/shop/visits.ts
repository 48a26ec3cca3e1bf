import { days_max } from "../sample-shop.js";
import { generic_code, names, outlet_ends } from "./campaigns.js";
import { dice } from "./dice.js";

/** Who comes on a day, and what they have heard of: a campaign, or null for who pays what it costs. */
export function visitsOf(day: number): readonly (string | null)[] {
  // Dice of its own: what later days show is counted by what was shown before.
  const roll = dice(1_000 + day);
  // More with each week, and at its end.
  const count = 5 + Math.floor(day / 10) + (day % 7 > 4 ? 3 : 0) + roll.below(4);
  const offers = offersOn(day);
  return Array.from({ length: count }, () => (roll.percent(78) ? roll.oneOf(offers) : null));
}

/** How many have come with the same before this visit, since the shop was opened. */
export function shownBefore(offer: string, day: number, number: number): number {
  let count = visitsOf(day)
    .slice(0, number)
    .filter((one) => one === offer).length;
  for (let before = 1; before < day; before += 1) count += visitsOf(before).filter((one) => one === offer).length;
  return count;
}

/** What is talked of on a day; the more often it stands there the more. */
function offersOn(day: number): string[] {
  const on = (from: number, to: number, ...offers: string[]) => (day >= from && day <= to ? offers : []);
  return [
    ...[generic_code, generic_code, names.newsletter, names.newsletter, names.gifts],
    ...[names.basket, names.basket, names.friends],
    ...on(21, 26, names.flash, names.flash, names.flash),
    ...on(36, outlet_ends + 2, names.outlet, names.outlet),
    ...on(46, days_max, names.birthday),
    ...on(73, days_max, names.season, names.season, names.season),
    ...on(89, days_max, names.launch),
  ];
}
