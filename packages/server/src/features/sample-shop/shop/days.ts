import type { Past } from "../past.js";
import { day_ms } from "../sample-shop.js";
import { generic_code, laterCampaigns, names, outlet_ends } from "./campaigns.js";
import { type Dice, dice } from "./dice.js";
import { basket, small_basket } from "./goods.js";
import { customer, customersBy, member_each, sourceIdOf } from "./people.js";
import { shownBefore, visitsOf } from "./visits.js";

/** Of a campaign's codes, as far as anybody shows them. */
const pages_max = 3;

/** What one does in the shop at some time of a day. */
type Doing = () => Promise<void>;

/** Fewer come at night: how many of hundred have come by the end of each quarter of the day, by UTC. */
const quarters_end = [6, 32, 68, 100];

/** A day of the shop, from 1, with everybody who comes. */
export async function liveADay(past: Past, day: number): Promise<void> {
  const roll = dice(day);
  const doings = [...whatTheShopDoes(past, day), ...whatMembersDo(past, day, roll)];
  for (let i = customersBy(day - 1); i < customersBy(day); i += 1) doings.push(() => join(past, i));
  for (const [number, offer] of visitsOf(day).entries()) doings.push(() => visit(past, { day, number, roll }, offer));
  const begins_at = past.dayAt(day);
  const times = doings.map(() => timeOf(begins_at, roll)).sort((a, b) => a - b);
  for (const [i, doing] of doings.entries()) {
    past.turnTo((times[i] ?? begins_at) + i);
    await doing();
  }
}

function timeOf(begins_at: number, roll: Dice): number {
  const thrown = roll.below(100);
  const quarter = quarters_end.findIndex((end) => thrown < end);
  const midnight = Math.ceil(begins_at / day_ms) * day_ms;
  const at = midnight + quarter * (day_ms / 4) + roll.below(day_ms / 4);
  // The day of the shop begins where the shop was opened, at whatever hour.
  return at < begins_at + day_ms - 60_000 ? at : at - day_ms + 60_000;
}

async function join({ api }: Past, number: number): Promise<void> {
  await api("POST", "/v1/customers", customer(number));
}

/** Campaigns that begin and end, and codes that go out with the newsletter. */
function whatTheShopDoes(past: Past, day: number): Doing[] {
  const { api, tryTo, dayAt } = past;
  const doings: Doing[] = laterCampaigns
    .filter((later) => later.day === day)
    .map(({ campaignAt }) => async () => {
      await api("POST", "/v1/campaigns", campaignAt(dayAt(day)));
      // Its codes are made after the answer, and asked for today.
      await past.followUp();
    });
  if (day === outlet_ends) doings.push(() => api("POST", `/v1/campaigns/${names.outlet}/disable`));
  // A campaign may have no code left.
  const publish = (campaign: string, number: number) => async () => {
    await tryTo("POST", "/v1/publications", {
      campaign: { name: campaign },
      customer: { source_id: sourceIdOf(number) },
    });
  };
  if (day % 7 === 2)
    for (let i = 0; i < 6; i += 1) doings.push(publish(names.newsletter, (day * 5 + i) % customersBy(day - 1)));
  if (day > 46 && day % 3 === 0) doings.push(publish(names.birthday, day % customersBy(day - 1)));
  return doings;
}

/** Members join, take what their points are worth, and bring friends. */
function whatMembersDo({ api, tryTo }: Past, day: number, roll: Dice): Doing[] {
  const doings: Doing[] = [];
  const members = Math.floor(customersBy(day) / member_each);
  const before = Math.floor(customersBy(day - 1) / member_each);
  const first = day === 1 ? 0 : before;
  for (let i = first; i < members; i += 1) {
    const named = { customer: { source_id: sourceIdOf(i * member_each) } };
    doings.push(() => api("POST", `/v1/loyalties/${names.club}/members`, named));
    if (i % 3 === 0)
      doings.push(() => api("POST", "/v1/publications", { campaign: { name: names.friends }, ...named }));
  }
  if (day > 14 && day % 4 === 0)
    doings.push(async () => {
      const { vouchers } = await api("GET", `/v1/loyalties/${names.club}/members?limit=100`);
      const rich = vouchers.filter(({ loyalty_card }: Card) => loyalty_card.balance >= 160);
      if (rich.length === 0) return;
      const { data } = await api("GET", `/v1/loyalties/${names.club}/rewards`);
      const reward = { id: data[0].reward_id };
      await tryTo("POST", `/v1/loyalties/members/${roll.oneOf<Card>(rich).code}/redemption`, { reward });
    });
  return doings;
}

interface Card {
  code: string;
  loyalty_card: { balance: number };
}

interface Visit {
  day: number;
  number: number;
  roll: Dice;
}

/** Somebody comes, mostly with a code, and mostly buys. Newcomers come more often. */
async function visit(past: Past, on: Visit, offer: string | null): Promise<void> {
  const { api, tryTo } = past;
  const { day, number, roll } = on;
  const known = customersBy(day - 1);
  const who = { source_id: sourceIdOf(roll.percent(40) ? known - 1 - roll.below(10) : roll.below(known)) };
  const redeemable = offer && (await codeFor(past, on, offer));
  const items = redeemable && roll.percent(6) ? small_basket : basket(roll);
  const order = { source_id: `order-${day}-${number + 1}`, items };
  const [looks_first, changes_mind, sends_back] = [roll.percent(30), roll.percent(6), roll.percent(4)];
  if (!redeemable) {
    await api("POST", "/v1/orders", { ...order, customer: who, status: changes_mind ? "CANCELED" : "PAID" });
    return;
  }
  const sent = { redeemables: [redeemable], customer: who };
  if (looks_first) await tryTo("POST", "/v1/validations", { ...sent, order: { items } });
  const { is_done, body } = await tryTo("POST", "/v1/redemptions", { ...sent, order: { ...order, status: "PAID" } });
  // Whoever is refused buys all the same, or goes.
  if (!is_done && !changes_mind) await api("POST", "/v1/orders", { ...order, customer: who, status: "PAID" });
  if (is_done && sends_back)
    await tryTo("POST", `/v1/redemptions/${body.redemptions[0].id}/rollback`, { reason: "Sent back" });
}

/** What somebody shows: mostly something that works. */
async function codeFor(past: Past, { day, number, roll }: Visit, offer: string) {
  const voucher = (id: string) => ({ object: "voucher", id });
  if (offer === generic_code) return voucher(roll.percent(5) ? "HELLO01" : generic_code);
  const { codes, tier_ids } = await past.once(`${offer} in week ${Math.floor(day / 7)}`, () => readOffer(past, offer));
  if (tier_ids.length > 0) return { object: "promotion_tier", id: roll.oneOf(tier_ids) };
  if (codes.length === 0) return voucher(generic_code);
  // Each has a code of their own, but for some who show one that somebody has used.
  const shown_before = shownBefore(offer, day, number);
  const place = roll.percent(7) ? roll.below(shown_before + 1) : shown_before;
  const code = codes[place % codes.length] ?? "";
  return offer === names.gifts ? { ...voucher(code), gift: { credits: 400 + 100 * roll.below(16) } } : voucher(code);
}

/** A campaign's codes, or its tiers. */
async function readOffer({ api, tryTo }: Past, name: string): Promise<{ codes: string[]; tier_ids: string[] }> {
  const { is_done, body } = await tryTo("GET", `/v1/campaigns/${encodeURIComponent(name)}`);
  if (!is_done) return { codes: [], tier_ids: [] };
  const { id, promotion } = body;
  const codes: string[] = [];
  for (let page = 1, is_last = false; !is_last && page <= pages_max; page += 1) {
    const { vouchers } = await api("GET", `/v1/vouchers?campaign_id=${id}&limit=100&page=${page}&order=code`);
    codes.push(...vouchers.map(({ code }: Card) => code));
    is_last = vouchers.length < 100;
  }
  const tiers: { id: string }[] = promotion?.tiers ?? [];
  return { codes, tier_ids: tiers.map((tier) => tier.id) };
}
