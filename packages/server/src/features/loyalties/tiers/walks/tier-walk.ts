import { moveTier, recalculateTier } from "@guerdon/engine";
import { localDay } from "../../../../books/index.js";
import type { Instant } from "../../../../platform/clock.js";
import { type Change, holding } from "../../../../recording/index.js";
import { type OnWalk, type Slice, startWalks, type WalkKind } from "../../../../walks/index.js";
import { findProject, type Project } from "../../../projects/index.js";
import { findVouchersByIds } from "../../../vouchers/index.js";
import { keepMoves } from "../memberships/move-tiers.js";
import { findCardsBehind } from "./tier-walk.store.js";

/** The last member of a program who was looked at: when their card was made, and its id. */
export interface Looked {
  after_created_at: Instant | null;
  after_id: string;
}

/** All members of a program are looked at (loyalty.md §8.1), in the order in which their cards were made. */
const lookingBy = (name: string, decide: typeof moveTier): WalkKind<Looked, Project> => ({
  name,
  // Cards of one transaction (architecture: bulk jobs).
  size_max: 200,
  async begin({ db }, { project_id }, instant) {
    const project = await findProject(db, project_id);
    return project ? { about: project, dated: instant } : "over";
  },
  slice: (on) => lookAtSome(on, decide),
});

/** Because its tiers are others. */
export const looking = lookingBy("loyalty tiers", moveTier);
/** Because its settings are, and it was asked for that last days are computed anew. */
export const lookingAnew = lookingBy("loyalty tiers anew", recalculateTier);

/** It begins at once, and from its beginning where one is under way: that one may have passed members by older tiers. */
export const lookAtMembers = ({ tx, cause, ring }: Change, campaign_id: string, is_anew: boolean): Promise<void> => {
  const { project_id, request_id, instant } = cause;
  const state: Looked = { after_created_at: null, after_id: "" };
  const walk = { project_id, subject_id: campaign_id, request_id, state, due_at: instant };
  const kind = is_anew ? lookingAnew : looking;
  ring(kind.name);
  return startWalks(tx, kind, [walk], "begin anew");
};

async function lookAtSome(
  { change, walk, about: project, instant }: OnWalk<Looked, Project>,
  decide: typeof moveTier,
): Promise<Slice<Looked> | "over"> {
  const { tx, tell } = change;
  const { project_id, subject_id: campaign_id, state, size } = walk;
  const found = await findCardsBehind(tx, { project_id, campaign_id, ...state }, size);
  const last = found.at(-1);
  if (last === undefined) return "over";
  const ids = found.filter(({ is_held }) => is_held).map(({ id }) => id);
  return {
    ids,
    async run() {
      const keys = ids.map((id) => ({ project_id, kind: "voucher" as const, id }));
      const cards = await holding(tx, keys, () => findVouchersByIds(tx, project_id, ids));
      const day = localDay(instant, project.timezone);
      for (const { events } of await keepMoves(tx, project, cards, { day, instant, decide })) tell(...events);
    },
    next: { state: { after_created_at: last.created_at, after_id: last.id } },
  };
}
