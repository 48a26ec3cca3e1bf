import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { withoutNulls } from "../../platform/fields.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change, readUnderKeys } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { type CountedReward, type Reward, rewardTypeOf } from "./reward.js";
import type { RewardBody, RewardInput, RewardQuery, RewardUpdate } from "./reward.schemas.js";
import {
  deleteReward,
  findLiveAssignmentIds,
  findRewardsByIds,
  insertReward,
  listRewards,
  updateReward,
} from "./reward.store.js";
import { readParameters } from "./reward-parameters.js";

/** `POST /v1/rewards` (loyalty.md §9.2). */
export async function createReward(context: Context, call: Call, input: RewardInput): Promise<RewardBody> {
  const { project_id, instant } = call;
  return change(context, call, async ({ tx, edited }) => {
    const parameters = await readParameters(tx, project_id, input.parameters);
    const reward: Reward = {
      id: newId("rew"),
      name: input.name ?? "",
      type: rewardTypeOf(parameters),
      parameters,
      stock: input.stock ?? null,
      attributes: attributesOf(input),
      metadata: input.metadata ?? {},
      created_at: instant,
      updated_at: null,
    };
    assertStock(reward);
    await insertReward(tx, project_id, reward);
    edited({ kind: "reward", id: reward.id });
    return toRewardBody({ ...reward, redeemed: null });
  });
}

/** `PUT /v1/rewards/:rewardId`; what is left out stays. */
export async function changeReward(context: Context, call: Call, id: string, input: RewardUpdate): Promise<RewardBody> {
  const { project_id, instant } = call;
  return change(context, call, async ({ tx, edited }) => {
    const stored = await lockReward(tx, call, id);
    const parameters = input.parameters ? await readParameters(tx, project_id, input.parameters) : stored.parameters;
    if (rewardTypeOf(parameters) !== stored.type)
      throw problems.invalidPayload(`Property .parameters must stay those of a ${stored.type} reward`);
    const reward: CountedReward = {
      ...stored,
      name: input.name ?? stored.name,
      parameters,
      stock: input.stock === undefined ? stored.stock : input.stock,
      attributes: input.attributes === undefined ? stored.attributes : attributesOf(input),
      metadata: { ...stored.metadata, ...input.metadata },
      updated_at: instant,
    };
    assertStock(reward);
    await updateReward(tx, project_id, reward);
    edited({ kind: "reward", id });
    return toRewardBody(reward);
  });
}

/** Those that a reward has, and nothing else that was sent beside them. */
function attributesOf({ attributes }: Pick<RewardInput, "attributes">) {
  const { image_url, description } = attributes ?? {};
  return withoutNulls({ image_url, description });
}

/** Whoever pays with points takes nothing out of a store. */
function assertStock({ type, stock }: Reward): void {
  if (type === "COIN" && stock !== null)
    throw problems.invalidPayload("Property .stock cannot be used with parameters.coin");
}

/** Deletes what is deleted with a reward, and tells of it, in its change. */
export type GoesWithReward = (change: Change, reward_id: string) => Promise<unknown>;

/** One that a program gives stays until it does not (loyalty.md §9.2). */
export async function removeReward(
  context: Context,
  call: Call,
  id: string,
  goes_along: readonly GoesWithReward[],
): Promise<void> {
  const { project_id } = call;
  await change(context, call, async (change) => {
    const { tx, edited } = change;
    await lockReward(tx, call, id);
    const assigned = await findLiveAssignmentIds(tx, project_id, id);
    if (assigned.length > 0) {
      const ids = assigned.map((assignment) => assignment.id);
      throw problems.inUse("reward", id, { type: "reward_assignment", ids });
    }
    for (const take of goes_along) await take(change, id);
    await deleteReward(tx, project_id, id);
    edited({ kind: "reward", id });
  });
}

export const readReward = async ({ db }: Context, call: Call, id: string): Promise<RewardBody> =>
  toRewardBody(await knownReward(db, call.project_id, id));

export async function readRewards({ db }: Context, call: Call, { assignment_id, ...query }: RewardQuery) {
  const page = pageOf(query);
  const listed = await listRewards(db, call.project_id, assignment_id, page);
  return listBody("data", listed.rows.map(toRewardBody), countsOf(listed, page));
}

export async function knownReward(db: Queries, project_id: string, id: string): Promise<CountedReward> {
  const [reward] = await findRewardsByIds(db, project_id, [id]);
  if (!reward) throw problems.notFound("reward", id);
  return reward;
}

/** What an edit of a reward holds, and a redemption that its stock may stop. */
export const rewardKey = (project_id: string, id: string): LockKey => ({ project_id, kind: "reward", id });

const lockReward = (tx: Tx, { project_id }: Call, id: string): Promise<CountedReward> =>
  readUnderKeys(
    tx,
    () => knownReward(tx, project_id, id),
    () => [rewardKey(project_id, id)],
  );

export function toRewardBody(reward: CountedReward): RewardBody {
  const { id, name, type, parameters, stock, redeemed, attributes, metadata, created_at, updated_at } = reward;
  return {
    id,
    name,
    type,
    parameters,
    stock,
    redeemed,
    attributes,
    metadata,
    created_at: isoOf(created_at),
    updated_at: isoOf(updated_at),
    object: "reward",
  };
}
