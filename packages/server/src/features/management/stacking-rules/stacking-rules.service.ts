import { DEFAULT_STACKING_RULES } from "@guerdon/engine";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { type Change, change, type Requested } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import {
  deleteStackingRules,
  findStackingRules,
  insertStackingRules,
  knownProject,
  type StoredStackingRules,
  underProjectKey,
  updateStackingRules,
} from "../../projects/index.js";
import { withSent } from "./stacking-rules.js";
import type { StackingRulesBody, StackingRulesInput } from "./stacking-rules.schemas.js";

/** `POST …/stacking-rules`: once a project (platform.md §8). */
export async function createStackingRules(
  context: Context,
  cause: Requested,
  input: StackingRulesInput,
): Promise<StackingRulesBody> {
  const { project_id, instant } = cause;
  const rules = withSent(DEFAULT_STACKING_RULES, input);
  const stored: StoredStackingRules = { id: newId("stk"), rules, created_at: instant, updated_at: null };
  return change(context, cause, async (change) => {
    await knownProject(change.tx, project_id);
    if ((await insertStackingRules(change.tx, project_id, stored)) === 0) throw refusals.stackingRulesExist();
    return recorded(change, stored);
  });
}

/** `PUT …/stacking-rules/:stackingRulesId`: what is sent counts, lists as a whole. */
export async function changeStackingRules(
  context: Context,
  cause: Requested,
  id: string,
  input: StackingRulesInput,
): Promise<StackingRulesBody> {
  return change(context, cause, async (change) => {
    const stored = await lockStackingRules(change, id);
    const changed = { ...stored, rules: withSent(stored.rules, input), updated_at: cause.instant };
    await updateStackingRules(change.tx, cause.project_id, changed);
    return recorded(change, changed);
  });
}

/** `DELETE …/stacking-rules/:stackingRulesId`: the defaults hold again. */
export async function removeStackingRules(context: Context, cause: Requested, id: string): Promise<void> {
  await change(context, cause, async (change) => {
    await lockStackingRules(change, id);
    await deleteStackingRules(change.tx, cause.project_id);
    change.edited({ kind: "project", id: cause.project_id });
  });
}

export async function readStackingRules({ db }: Context, project_id: string, id: string): Promise<StackingRulesBody> {
  await knownProject(db, project_id);
  return toBody(await knownStackingRules(db, project_id, id));
}

/** `GET …/stacking-rules`: what holds, of the project's own making or not. */
export async function readAllStackingRules({ db }: Context, project_id: string) {
  await knownProject(db, project_id);
  const stored = await findStackingRules(db, project_id);
  return listBody("data", [stored ? toBody(stored) : bodyOf(DEFAULT_STACKING_RULES)], 1);
}

const lockStackingRules = (change: Change, id: string): Promise<StoredStackingRules> =>
  underProjectKey(change, (project) => knownStackingRules(change.tx, project.id, id));

async function knownStackingRules(db: Queries, project_id: string, id: string): Promise<StoredStackingRules> {
  const stored = await findStackingRules(db, project_id);
  if (stored?.id !== id) throw problems.notFound("stacking_rules", id);
  return stored;
}

function recorded({ cause, edited }: Change, stored: StoredStackingRules): StackingRulesBody {
  edited({ kind: "project", id: cause.project_id });
  return toBody(stored);
}

const toBody = ({ id, rules, created_at, updated_at }: StoredStackingRules): StackingRulesBody => ({
  id,
  ...bodyOf(rules),
  created_at: isoOf(created_at),
  ...(updated_at === null ? {} : { updated_at: isoOf(updated_at) }),
});

const bodyOf = (rules: StoredStackingRules["rules"]): StackingRulesBody => ({
  ...rules,
  applicable_redeemables_category_limits: { ...rules.applicable_redeemables_category_limits },
  exclusive_categories: [...rules.exclusive_categories],
  joint_categories: [...rules.joint_categories],
  initial_amount_mode_categories: [...rules.initial_amount_mode_categories],
  discounted_amount_mode_categories: [...rules.discounted_amount_mode_categories],
  no_effect_skip_categories: [...rules.no_effect_skip_categories],
  no_effect_redeem_anyway_categories: [...rules.no_effect_redeem_anyway_categories],
});
