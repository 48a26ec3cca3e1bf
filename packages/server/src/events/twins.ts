import { createHash } from "node:crypto";
import { type Envelope, type EventData, type EventType, eventIdPrefix, type StoredEvent } from "./event.js";

/** Another name that a fact is told under, and what it is then about; to nobody where that is null. */
interface Twin<Type extends EventType> {
  name: string;
  about(event: Envelope & { data: EventData[Type] }): string | null;
}

const itsCustomer = ({ customer_id }: Envelope) => customer_id;
const itsCard = ({ data }: { data: { voucher_id: string } }) => data.voucher_id;

/** The card, where its points have moved. */
const itsPaidCard = ({ data }: { data: { voucher_id: string; transaction_id: string | null } }) =>
  data.transaction_id === null ? null : data.voucher_id;
const inState = ({ customer_id, data }: Envelope & { data: { state: string } }, state: string) =>
  data.state === state ? customer_id : null;

/** One fact is one row; these are the names it has for others (events-and-webhooks.md §4). */
export const twins = {
  "voucher.deleted": [{ name: "customer.voucher.deleted", about: itsCustomer }],
  "publication.succeeded": [
    { name: "voucher.published", about: ({ data }) => data.voucher?.id ?? null },
    { name: "customer.publication.succeeded", about: itsCustomer },
  ],
  "redemption.succeeded": [{ name: "customer.redemption.succeeded", about: itsCustomer }],
  "redemption.failed": [{ name: "customer.redemption.failed", about: itsCustomer }],
  "redemption.rollback.succeeded": [{ name: "customer.redemption.rollback.succeeded", about: itsCustomer }],
  "redemption.rollback.failed": [{ name: "customer.redemption.rollback.failed", about: itsCustomer }],
  "voucher.gift.balance_added": [
    { name: "voucher.gift.transaction.created", about: itsCard },
    { name: "customer.voucher.gift.balance_added", about: itsCustomer },
  ],
  "voucher.loyalty_card.points_adjusted": [
    { name: "voucher.loyalty_card.points_added", about: itsCard },
    { name: "voucher.loyalty_card.transaction.created", about: itsCard },
    { name: "customer.voucher.loyalty_card.points_added", about: itsCustomer },
    { name: "customer.loyalty.updated", about: itsCustomer },
  ],
  "voucher.loyalty_card.points_transferred": [
    { name: "voucher.loyalty_card.transaction.created", about: itsCard },
    { name: "customer.voucher.loyalty_card.points_transferred", about: itsCustomer },
  ],
  "voucher.loyalty_card.points_expired": [
    { name: "voucher.loyalty_card.transaction.created", about: itsCard },
    { name: "customer.voucher.loyalty_card.points_expired", about: itsCustomer },
  ],
  "customer.rewarded": [
    { name: "customer.reward_redemptions.created", about: itsCustomer },
    { name: "customer.reward_redemptions.pending", about: (event) => inState(event, "PENDING") },
    { name: "customer.reward_redemptions.completed", about: (event) => inState(event, "COMPLETED") },
    { name: "voucher.loyalty_card.transaction.created", about: itsPaidCard },
  ],
  "customer.reward_redemptions.rolledback": [{ name: "voucher.loyalty_card.transaction.created", about: itsPaidCard }],
  "voucher.loyalty_card.pending_points.added": [
    { name: "customer.voucher.loyalty_card.pending_points.added", about: itsCustomer },
  ],
  "voucher.loyalty_card.pending_points.updated": [
    { name: "customer.voucher.loyalty_card.pending_points.updated", about: itsCustomer },
  ],
  "voucher.loyalty_card.pending_points.canceled": [
    { name: "customer.voucher.loyalty_card.pending_points.canceled", about: itsCustomer },
  ],
  "voucher.loyalty_card.pending_points.activated": [
    { name: "customer.voucher.loyalty_card.pending_points.activated", about: itsCustomer },
  ],
  "referral.rewarded": [{ name: "customer.rewarded", about: itsCustomer }],
  "customer.rewarded.loyalty_points": [
    { name: "voucher.loyalty_card.transaction.created", about: itsCard },
    { name: "voucher.loyalty_card.points_added", about: itsCard },
    { name: "customer.voucher.loyalty_card.points_added", about: itsCustomer },
  ],
} as const satisfies { [Type in EventType]?: readonly Twin<Type>[] };

type Twins = typeof twins;
/** The names that a fact is told under, its own first. */
export type NameOf<Type extends EventType> = Type | (Type extends keyof Twins ? Twins[Type][number]["name"] : never);

/** Every name that something is told under: what a consumer may ask for. */
export type EventName = { [Type in EventType]: NameOf<Type> }[EventType];

/** An event under one of its names, with the data of its fact. */
export type ToldEvent<Name extends EventName = EventName> = {
  [Type in EventType]: Extract<NameOf<Type>, Name> extends never
    ? never
    : Envelope & { type: Extract<NameOf<Type>, Name>; data: EventData[Type] };
}[EventType];

const twinsOf = (type: EventType): readonly Twin<EventType>[] =>
  (twins as Partial<Record<EventType, readonly Twin<EventType>[]>>)[type] ?? [];

/** The facts that are told under any of these names: nothing else need be read for whoever asks for them. */
export function factsToldAs(names: readonly EventName[]): string[] {
  const facts = (Object.keys(twins) as EventType[]).filter((type) =>
    twinsOf(type).some((twin) => (names as readonly string[]).includes(twin.name)),
  );
  return [...new Set([...names, ...facts])];
}

/** The event under each of the names that is wanted: under its own first, and under none where nobody is meant. */
export function toldAs<Name extends EventName>(event: StoredEvent, names: readonly Name[]): ToldEvent<Name>[] {
  const wanted = new Set<string>(names);
  const own = wanted.has(event.type) ? [event] : [];
  const others = twinsOf(event.type).flatMap(({ name, about }) => {
    const entity_id = wanted.has(name) ? about(event) : null;
    return entity_id === null ? [] : [{ ...event, type: name, entity_id }];
  });
  return [...own, ...others] as unknown as ToldEvent<Name>[];
}

const names_of_twins = new Set<string>(Object.values(twins).flatMap((all) => all.map(({ name }) => name)));
const isFact = (name: string) => name in twins || !names_of_twins.has(name);

/**
 * The id that an event has under a name, the same for all who are told it by that name: receivers know by it what they have had already
 * (events-and-webhooks.md §2), and the twins of one fact are no repetition of each other. Told of the name and id alone, since an entry
 * of a log outlives its event.
 */
export function idUnder(name: string, event_id: string): string {
  const [prefix = "", tail = ""] = event_id.split("_");
  const own_prefix = eventIdPrefix(name);
  if (isFact(name) && prefix === own_prefix) return event_id;
  return `${own_prefix}_${tail}-${createHash("sha256").update(name).digest("hex").slice(0, 4)}`;
}
