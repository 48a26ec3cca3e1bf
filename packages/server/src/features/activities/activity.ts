import { type EventName, type StoredEvent, toldAs } from "../../events/index.js";

/** Whether the customer did something, or something was done about it (events-and-webhooks.md §7). */
export const activity_categories = ["ACTION", "EFFECT"] as const;
type ActivityCategory = (typeof activity_categories)[number];

const channels = [
  "sms",
  "email",
  "activecampaign",
  "braze",
  "mailchimp",
  "intercom",
  "shopify",
  "klaviyo",
  "batch",
] as const;
const sent = channels.flatMap((channel) =>
  (["sent", "recovered", "failed"] as const).map((end) => `customer.${channel}.${end}` as const),
);

/** All that may happen to a customer but messages, whether anything tells it yet or not. */
const categories = {
  "customer.confirmed": "ACTION",
  "customer.created": "ACTION",
  "customer.updated": "ACTION",
  "customer.deleted": "ACTION",
  "customer.custom_event": "ACTION",
  "customer.validation.succeeded": "ACTION",
  "customer.validation.failed": "ACTION",
  "customer.redemption.succeeded": "ACTION",
  "customer.redemption.failed": "ACTION",
  "customer.redemption.rollback.succeeded": "ACTION",
  "customer.redemption.rollback.failed": "ACTION",
  "customer.order.created": "ACTION",
  "customer.order.updated": "ACTION",
  "customer.order.paid": "ACTION",
  "customer.order.canceled": "ACTION",
  "customer.order.fulfilled": "ACTION",
  "customer.order.processing": "ACTION",
  "customer.referred": "EFFECT",
  "customer.segment.entered": "EFFECT",
  "customer.segment.left": "EFFECT",
  "customer.rewarded": "EFFECT",
  "customer.rewarded.loyalty_points": "EFFECT",
  "customer.reward_redemptions.created": "EFFECT",
  "customer.reward_redemptions.pending": "EFFECT",
  "customer.reward_redemptions.completed": "EFFECT",
  "customer.reward_redemptions.rolledback": "EFFECT",
  "customer.publication.succeeded": "EFFECT",
  "customer.publication.failed": "EFFECT",
  "customer.holder.assignment.created": "EFFECT",
  "customer.holder.assignment.deleted": "EFFECT",
  "customer.voucher.deleted": "EFFECT",
  "customer.voucher.gift.balance_added": "EFFECT",
  "customer.voucher.loyalty_card.points_added": "EFFECT",
  "customer.voucher.loyalty_card.points_activated": "EFFECT",
  "customer.voucher.loyalty_card.points_transferred": "EFFECT",
  "customer.voucher.loyalty_card.points_expired": "EFFECT",
  "customer.voucher.loyalty_card.pending_points.added": "EFFECT",
  "customer.voucher.loyalty_card.pending_points.updated": "EFFECT",
  "customer.voucher.loyalty_card.pending_points.activated": "EFFECT",
  "customer.voucher.loyalty_card.pending_points.canceled": "EFFECT",
  "customer.loyalty.updated": "EFFECT",
  "customer.loyalty.tier.joined": "EFFECT",
  "customer.loyalty.tier.left": "EFFECT",
  "customer.loyalty.tier.upgraded": "EFFECT",
  "customer.loyalty.tier.downgraded": "EFFECT",
  "customer.loyalty.tier.prolonged": "EFFECT",
  "customer.loyalty.tier.expiration.changed": "EFFECT",
} as const satisfies Record<string, ActivityCategory>;

type Told = Extract<EventName, `customer.${string}`>;
/** A new name that stands in no category does not compile. */
const told: Readonly<Record<Told, ActivityCategory>> = categories;
const told_types = Object.keys(told) as Told[];

type ActivityType = keyof typeof categories | (typeof sent)[number];
export const activity_types = [...(Object.keys(categories) as ActivityType[]), ...sent];

/** Which names are asked for; messages are told by nobody. */
export const typesAsked = ({ type, category }: { type?: ActivityType; category?: ActivityCategory }): Told[] =>
  told_types.filter((name) => (!type || name === type) && (!category || told[name] === category));

/** What a card's member hears that is about the card (loyalty.md §11). */
const of_cards =
  /^customer\.(loyalty\.tier\.|publication\.|redemption\.|reward|voucher\.deleted$|voucher\.loyalty_card\.(?!points_activated))/;
export const types_of_cards = told_types.filter((name) => of_cards.test(name));

/** Of a reward, its state decides what it is told as; every other fact is told as all that it may be. */
const states: Partial<Record<ActivityType, string>> = {
  "customer.reward_redemptions.pending": "PENDING",
  "customer.reward_redemptions.completed": "COMPLETED",
};
export const stateAsked = ({ type }: { type?: ActivityType }): string | null => (type && states[type]) ?? null;

/** An event under one of the names that customers hear of it, and the how manieth that is. */
export interface Activity {
  id: string;
  type: Told;
  nth: number;
  event: StoredEvent;
}

const id_pattern = /^evcus_([0-9a-z]{27})(?:-([1-9]))?$/;

/** What an activity's id tells: how its event's id ends, and which of the event's names it is; undefined where it is no such id. */
export function placeIn(activity_id: string): { tail: string; nth: number } | undefined {
  const [, tail, nth = "0"] = id_pattern.exec(activity_id) ?? [];
  return tail === undefined ? undefined : { tail, nth: Number(nth) };
}

/**
 * What a customer hears of an event, as far as it is asked for, in the order in which it is told. Its first name has the id that
 * webhooks know it by, where it is a customer's.
 */
export function activitiesOf(event: StoredEvent, asked: readonly Told[]): Activity[] {
  const tail = event.id.slice(event.id.indexOf("_") + 1);
  return toldAs(event, told_types)
    .map(({ type }, nth) => ({ id: `evcus_${tail}${nth === 0 ? "" : `-${nth}`}`, type, nth, event }))
    .filter(({ type }) => asked.includes(type));
}
