import type { Context } from "../../../platform/context.js";
import { problems } from "../../../platform/http/problems.js";
import { change } from "../../../recording/index.js";
import { type PurgedObject, purge_types, startAsyncAction } from "../../async-actions/index.js";
import { type Call, isRemovedKey } from "../../projects/index.js";

/**
 * Has a key taken out of the metadata of all objects of a kind, those in the bin too (platform.md §9.2). A key whose definition counts is
 * kept: whoever made the definition means its values.
 */
export const startPurge = (
  context: Context,
  call: Call,
  related_object: PurgedObject,
  key: string,
): Promise<{ async_action_id: string }> =>
  change(context, call, async (change) => {
    if (!(await isRemovedKey(change.tx, call.project_id, related_object, key))) {
      throw problems.invalidPayload("Property .key must not be that of a definition which is not removed");
    }
    const action = { type: purge_types[related_object], parameters: { key } };
    return { async_action_id: await startAsyncAction(change, action) };
  });
