import type { WebhookPlace } from "../webhooks/index.js";

/** What one process sends at once. */
export const in_flight_max = 128;
export const of_project_max = 64;
export const of_webhook_max = 10;
/** To a webhook whose last message failed: it may take the whole time of a try, and its messages come late in any case. */
export const of_failing_webhook_max = 2;
/** To all such together: whoever answers always finds the other half free. */
export const to_failing_max = 64;

/** Who takes room. */
export interface Taker extends WebhookPlace {
  is_failing: boolean;
}

/** A webhook with messages that are due. */
export interface DueWebhook extends Taker {
  /** How many are, as far as {@link of_webhook_max}. */
  due: number;
}

/** How many are taken of a webhook. */
export interface Share extends Taker {
  rows_max: number;
}

/** Counts what is under way by whom it takes room from. */
class Room {
  readonly #taken = new Map<string, number>();

  constructor(in_flight: readonly Taker[]) {
    for (const one of in_flight) this.take(one);
  }

  has(webhook: Taker): boolean {
    return limitsOf(webhook).every(([name, max]) => (this.#taken.get(name) ?? 0) < max);
  }

  take(webhook: Taker): void {
    for (const [name] of limitsOf(webhook)) this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1);
  }
}

const limitsOf = ({ project_id, webhook_id, is_failing }: Taker): [string, number][] => [
  ["all", in_flight_max],
  [`project ${project_id}`, of_project_max],
  [`webhook ${project_id} ${webhook_id}`, is_failing ? of_failing_webhook_max : of_webhook_max],
  ...(is_failing ? ([["failing", to_failing_max]] as [string, number][]) : []),
];

/** Shares what room there is: one message of each webhook in turn, until nobody has more or may have more. */
export function sharesOf(webhooks: readonly DueWebhook[], in_flight: readonly Taker[]): Share[] {
  const room = new Room(in_flight);
  const shares = webhooks.map((webhook) => ({ webhook, rows_max: 0 }));
  for (let has_given = true; has_given; ) {
    has_given = false;
    for (const share of shares) {
      if (share.rows_max >= share.webhook.due || !room.has(share.webhook)) continue;
      room.take(share.webhook);
      share.rows_max += 1;
      has_given = true;
    }
  }
  return shares
    .filter(({ rows_max }) => rows_max > 0)
    .map(({ webhook: { project_id, webhook_id, is_failing }, rows_max }) => ({
      ...{ project_id, webhook_id, is_failing },
      rows_max,
    }));
}
