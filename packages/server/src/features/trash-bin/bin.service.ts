import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { followedBy, listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { filterCondition, pageOf } from "../../platform/listing/index.js";
import { type Change, change, readUnderKeys } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { binFilterable } from "./bin.filters.js";
import type { BinEntry, Binned, BinRemoval } from "./bin.js";
import type { BinEntryBody, BinList, BinQuery } from "./bin.schemas.js";
import { deleteBinEntry, findBinEntry, insertBinEntry, listBinEntries } from "./bin.store.js";

/** Says that a thing was put into the bin, in the change that does it. */
export const putInBin = ({ tx, cause: { project_id, instant, event_source } }: Change, binned: Binned) =>
  insertBinEntry(tx, project_id, {
    ...binned,
    ...{ id: newId("tbe"), deleted_by_user_id: event_source.user?.id ?? null, created_at: instant },
  });

/** `GET /v1/trash-bin`. */
export async function readBin({ db }: Context, call: Call, query: BinQuery): Promise<BinList> {
  const { project_id, project, instant } = call;
  const filters = query.filters
    ? filterCondition(query.filters, binFilterable, { instant, time_zone: project.timezone })
    : null;
  const { rows, has_more } = await listBinEntries(db, project_id, filters, query.order ?? "-id", pageOf(query));
  return {
    ...listBody("data", rows.map(toBinEntryBody), { total: rows.length }),
    ...followedBy(has_more, rows),
  };
}

/** `DELETE /v1/trash-bin/:binEntryId`: for good, so that its name is free. */
export async function removeForGood(
  context: Context,
  call: Call,
  id: string,
  removals: readonly BinRemoval[],
): Promise<void> {
  const { project_id } = call;
  const removalOf = ({ resource_type }: BinEntry) => {
    const removal = removals.find((one) => one.resource_type === resource_type);
    if (!removal) throw new Error(`nobody takes a ${resource_type} out of the bin`);
    return removal;
  };
  await change(context, call, async (change) => {
    const entry = await readUnderKeys(
      change.tx,
      () => knownEntry(change.tx, project_id, id),
      (found) => removalOf(found).keysOf(project_id, found.resource_id),
    );
    await removalOf(entry).remove(change, entry.resource_id);
    await deleteBinEntry(change.tx, project_id, id);
  });
}

async function knownEntry(db: Queries, project_id: string, id: string): Promise<BinEntry> {
  const entry = await findBinEntry(db, project_id, id);
  if (!entry) throw problems.notFound("bin_entry", id);
  return entry;
}

const toBinEntryBody = ({ created_at, ...entry }: BinEntry): BinEntryBody => ({
  ...entry,
  created_at: isoOf(created_at),
  object: entry.resource_type,
});
