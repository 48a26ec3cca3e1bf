import fc from "fast-check";

/** What may happen to the cards of a program, as data; cards and redemptions by their place. */
export const happening = fc.oneof(
  fc.record({
    does: fc.constant("add" as const),
    card: fc.nat(1),
    points: fc.integer({ min: 1, max: 40 }),
    days: fc.nat(20),
  }),
  fc.record({ does: fc.constant("remove" as const), card: fc.nat(1), points: fc.integer({ min: 1, max: 40 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("spend" as const),
      card: fc.nat(1),
      points: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("transfer" as const),
      card: fc.nat(1),
      points: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("undo" as const), place: fc.nat(5) }) },
  fc.record({ does: fc.constant("earn" as const), card: fc.nat(1) }),
  fc.record({ does: fc.constant("cancel order" as const), place: fc.nat(5) }),
  fc.record({ does: fc.constant("activate" as const), place: fc.nat(5) }),
  fc.record({ does: fc.constant("adjust" as const), place: fc.nat(5), points: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ does: fc.constant("cancel" as const), place: fc.nat(5) }),
  fc.record({ does: fc.constant("pass" as const), days: fc.integer({ min: 1, max: 12 }), night: fc.boolean() }),
);
export type Happening = typeof happening extends fc.Arbitrary<infer Of> ? Of : never;

/** Points that are over before any night has come by, while their card spends and hands on others. */
export const over_before_night: Happening[] = [
  // By a day: that of 40 is tomorrow, and 60 stay.
  { does: "add", card: 0, points: 40, days: 1 },
  { does: "pass", days: 2, night: false },
  { does: "spend", card: 0, points: 25 },
  { does: "transfer", card: 0, points: 10 },
  { does: "pass", days: 1, night: true },
];

/** What a paid order earns at once, and what of it pends, for how many days. */
export const [at_once, later, pending_days] = [3, 7, 2];

/** Of points that pend what there should be, by what was answered: nothing of it is read. */
export class Waiting {
  readonly orders: { id: string; card_id: string; left: { points: number; day: string } | null }[] = [];
  /** Points that became their cards', by card. */
  readonly activated = new Map<string, number>();

  constructor(private readonly clock: { now(): number }) {}

  pay(id: string, card_id: string): void {
    const day = new Date(this.clock.now() + pending_days * 86_400_000).toISOString().slice(0, 10);
    this.orders.push({ id, card_id, left: { points: later, day } });
  }

  of = (card_id: string): number =>
    this.orders.reduce((sum, order) => sum + (order.card_id === card_id ? (order.left?.points ?? 0) : 0), 0);

  activate(order: Waiting["orders"][number]): void {
    this.activated.set(order.card_id, (this.activated.get(order.card_id) ?? 0) + (order.left?.points ?? 0));
    order.left = null;
  }

  night(): void {
    const today = new Date(this.clock.now()).toISOString().slice(0, 10);
    for (const order of this.orders) if (order.left && order.left.day <= today) this.activate(order);
  }
}
