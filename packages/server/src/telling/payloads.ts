import { type EventName, type EventType, isAway, type StoredEvent } from "../events/index.js";
import type { Project } from "../features/projects/index.js";
import type { Context } from "../platform/context.js";
import { type Around, aroundOf } from "./around.js";
import { of_campaigns } from "./of-campaigns.js";
import { of_cards } from "./of-cards.js";
import { of_customers } from "./of-customers.js";
import { of_pending_points } from "./of-pending-points.js";
import { of_redemptions } from "./of-redemptions.js";
import { of_referrals } from "./of-referrals.js";
import { of_tiers } from "./of-tiers.js";
import { of_vouchers } from "./of-vouchers.js";
import type { Tellers } from "./teller.js";

/** What every fact says, under each of its names: one that says nothing does not compile. */
export const tellers: Tellers<EventType> = {
  ...of_customers,
  ...of_vouchers,
  ...of_redemptions,
  ...of_cards,
  ...of_pending_points,
  ...of_campaigns,
  ...of_tiers,
  ...of_referrals,
};

/** An event under one of its names. */
export interface Naming {
  event: StoredEvent;
  name: EventName;
}

export type Payload = Record<string, unknown>;

/**
 * What events of a project say under these names, in their order (events-and-webhooks.md §3): to webhooks and in a customer's
 * activity alike. What they do not keep is read for all of them together. One that cannot be told is told of in the log, and
 * undefined here.
 */
export async function payloadsOf(
  context: Context,
  project: Project,
  namings: readonly Naming[],
): Promise<(Payload | undefined)[]> {
  try {
    const around = aroundOf(context, project);
    return await Promise.all(namings.map((naming) => told(around, naming)));
  } catch (err) {
    if (isAway(err)) throw err;
    const [naming, ...others] = namings;
    if (naming && others.length === 0) {
      const { event, name } = naming;
      context.log.error({ project_id: project.id, event_id: event.id, type: name, err }, "an event could not be shown");
      return [undefined];
    }
    return (await Promise.all(namings.map((one) => payloadsOf(context, project, [one])))).flat();
  }
}

/** Which teller belongs to which type is fixed where they are listed; here both are of any. */
async function told(around: Around, { event, name }: Naming): Promise<Payload> {
  const by_name = tellers[event.type] as Partial<
    Record<EventName, (around: Around, event: unknown) => Promise<object>>
  >;
  const teller = by_name[name];
  if (!teller) throw new Error(`${event.type} is not told as ${name}`);
  return (await teller(around, event)) as Payload;
}
