import type { Queries } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import type { Publisher, PublishRequest } from "./publication.js";
import { findPublicationOfHolder } from "./publication.store.js";
import { type LockedTarget, readTarget } from "./publication.target.js";

/** What a campaign has for a customer, before anything is given. */
export interface Supply {
  target: LockedTarget;
  /** What publishing holds, to be held before the supply is decided on. */
  keys: readonly LockKey[];
  /** The voucher of the campaign that the customer has: the first, should there be several. */
  held_id: string | null;
  /** How many it could give, as far as was asked; null: any number, since it makes them. */
  left: number | null;
}

/** @param request its `count` says how many may be asked for */
export async function readSupply(
  db: Queries,
  publisher: Publisher,
  request: PublishRequest & { campaign_id: string },
): Promise<Supply> {
  const { project_id } = publisher;
  const { keys, ...target } = await readTarget(db, publisher, request);
  const { campaign, customer } = target;
  const held = customer && (await findPublicationOfHolder(db, project_id, request.campaign_id, customer.id));
  const is_growing = campaign?.type === "AUTO_UPDATE" && campaign.voucher !== null;
  return { target, keys, held_id: held?.voucher_id ?? null, left: is_growing ? null : target.left };
}
