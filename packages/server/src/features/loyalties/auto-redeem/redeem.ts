import { localDay } from "../../../books/index.js";
import { createRecorder, decidingRequest, type RecordOne, trackingOf } from "../../../deciding/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { Problem } from "../../../platform/http/problems.js";
import { readVersion } from "../../../recording/index.js";
import { eventSourceOf, MetadataSchemas, the_service } from "../../../terms/index.js";
import { type Call, findProject, type Project } from "../../projects/index.js";
import { recordRedemption } from "../../redemptions/index.js";
import type { AutoReward } from "../../rewards/index.js";
import { findVouchersByIds } from "../../vouchers/index.js";
import { findDueCards, redemptions_a_day_max, units_max } from "./auto-redeem.js";
import { insertAutomatic, readDone } from "./auto-redeem.store.js";

/** A card whose points have grown, and because of what. */
interface Grown {
  project_id: string;
  card_id: string;
  /** The event, or the night: the same one is answered with one redemption, however often it is told. */
  cause: string;
  /** The request that caused it. */
  request_id: string;
  /** What is redeemed is dated so. */
  instant: Instant;
}

/**
 * Redeems the reward that the card's program gives by itself, as many as the balance pays for, if any (loyalty.md §9.6): by the rules of
 * every redemption, in a transaction of its own. What is refused leaves nothing, and the points stay.
 */
export async function redeemAutomatically(context: Context, grown: Grown): Promise<void> {
  const { db, catalogues, log, seal } = context;
  const { project_id, card_id } = grown;
  const [project, [card]] = await Promise.all([
    findProject(db, project_id),
    findVouchersByIds(db, project_id, [card_id]),
  ]);
  const reward = card && (await findDueCards(db, project_id, [card])).get(card_id);
  if (!project || !reward || card.holder_id === null) return;
  const call = callOf(project, await readVersion(db, project_id), grown);
  const { id: assignment_id } = reward;
  const asked = {
    redeemables: [{ object: "voucher" as const, id: card_id, reward: { assignment_id } }],
    customer: { id: card.holder_id },
  };
  const request = {
    ...decidingRequest(call, asked, trackingOf(seal, project_id)),
    automatic: { assignment_id, units_max },
  };
  const record = recordOnce(context, project, grown, { ...reward, customer_id: card.holder_id });
  try {
    await createRecorder(context, catalogues)(request, record, () => null);
  } catch (refused) {
    if (!(refused instanceof Problem) || refused.status >= 500) throw refused;
    // Its campaign has no code left to make, say: another time of the same event finds it so too.
    const { key, message } = refused.body;
    log.warn({ project_id, voucher_id: card_id, key }, `a reward could not be redeemed by itself: ${message}`);
  }
}

const callOf = (project: Project, version: number, { request_id, instant }: Grown): Call => ({
  ...{ project, project_id: project.id, version, instant, request_id },
  caller: the_service,
  event_source: eventSourceOf(the_service),
  // Nothing is sent that could break one.
  metadata_schemas: new MetadataSchemas([]),
  label: null,
  keyed: null,
});

/** Under the keys of card and customer. */
function recordOnce(
  { log }: Context,
  { id: project_id, timezone }: Project,
  { card_id: voucher_id, cause, instant }: Grown,
  { reward_id, customer_id }: AutoReward & { customer_id: string },
): RecordOne<object> {
  return async (change, shared, request, decision) => {
    if (!decision.valid) return {};
    const once = { voucher_id, cause, customer_id, reward_id, day: localDay(instant, timezone) };
    const { is_done, times } = await readDone(change.tx, project_id, once);
    if (is_done) return {};
    if (times >= redemptions_a_day_max) {
      log.warn({ project_id, voucher_id, reward_id }, "a reward was redeemed by itself too often on one day");
      return {};
    }
    const recorded = await recordRedemption(change, shared, request, decision);
    // What the project's schemas forbid is found before anything is recorded.
    if (recorded instanceof Problem) return {};
    const [redemption] = recorded.redemptions;
    if (!redemption) throw new Error("a granted request redeems something");
    await insertAutomatic(change.tx, project_id, { ...once, redemption_id: redemption.id, created_at: instant });
    return {};
  };
}
