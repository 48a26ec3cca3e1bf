import type { Instant } from "../../../platform/clock.js";
import type { Tx } from "../../../platform/db/database.js";
import { every, type Schedule } from "../../../platform/jobs/schedules.js";
import { mapInSlices } from "../../../platform/sharing/slices.js";
import { beginNow, startWalks, type WalkKind, walking } from "../../../walks/index.js";
import {
  cleanPagesBehind,
  findUnpacked,
  findUnsigned,
  packPages,
  pageCodesBehind,
  signPages,
} from "./code-page.store.js";
import { signatureOf } from "./signature.js";

/** What is deleted for good meanwhile is cleaned together. */
const cleaned_after_ms = 3_600_000;
/** Half a megabyte of common codes. */
const signed_max = 512;

/**
 * Pages the codes of what was there before pages were. Its slices name no objects: one that fails is done again, and nothing is
 * passed over, since a search must not miss it.
 */
export const paging: WalkKind<{ after_id: string }, null> = {
  name: "codes into pages",
  size_max: 10_000,
  begin: beginNow,
  async slice({ change: { tx }, walk: { project_id, state, size } }) {
    const { last_id } = await pageCodesBehind(tx, project_id, state.after_id, size);
    return last_id === null ? "over" : { state: { after_id: last_id } };
  },
};

const cleaning: WalkKind<{ after_page: number }, null> = {
  name: "codes out of pages",
  size_max: 50,
  begin: beginNow,
  async slice({ change: { tx }, walk: { project_id, state, size } }) {
    const { last_page } = await cleanPagesBehind(tx, project_id, state.after_page, size);
    return last_page === null ? "over" : { state: { after_page: last_page } };
  },
};

/** Codes of vouchers that are deleted for good leave the pages within hours; a search looks at the vouchers anyway. */
export const cleanPages = (tx: Tx, project_id: string, instant: Instant): Promise<void> =>
  startWalks(
    tx,
    cleaning,
    [{ project_id, state: { after_page: 0 }, due_at: instant + cleaned_after_ms }],
    // Begun anew by each deletion, it would not come to its end where there is always one.
    "go on",
  );

/** Vouchers that are made one by one leave a page each. */
const packing: Schedule = {
  name: "code pages",
  of: "project",
  next: every({ seconds: 10 }),
  async runDue({ db }, _instant, project_ids) {
    const unpacked = await findUnpacked(db, project_ids);
    if (!unpacked) return false;
    await packPages(db, unpacked.project_id);
    return true;
  },
};

/** A search looks through pages that are not signed, so that nothing waits for this. */
const signing: Schedule = {
  name: "signatures of code pages",
  of: "project",
  next: every({ seconds: 10 }),
  async runDue({ db }, _instant, project_ids) {
    const unsigned = await findUnsigned(db, project_ids, signed_max);
    const signed = await mapInSlices(unsigned, ({ keys, ...page }) => ({ ...page, signature: signatureOf(keys) }));
    if (signed.length > 0) await signPages(db, signed);
    return signed.length === signed_max;
  },
};

export const schedules: readonly Schedule[] = [walking(paging), walking(cleaning), packing, signing];
