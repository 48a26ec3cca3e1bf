import type { Instant } from "../../platform/clock.js";
import type { LockKey } from "../../platform/db/locks.js";
import type { Change } from "../../recording/index.js";

export const binned_types = ["campaign", "product", "sku", "voucher"] as const;
type BinnedType = (typeof binned_types)[number];

/** What was deleted and keeps its name. */
export interface Binned {
  resource_type: BinnedType;
  resource_id: string;
  /** Its name or code. */
  resource_name: string;
  /** A voucher's campaign, a SKU's product. */
  resource_parent_id: string | null;
}

export interface BinEntry extends Binned {
  id: string;
  /** Who was signed in and put it there; null: a key did. */
  deleted_by_user_id: string | null;
  created_at: Instant;
}

/** How things of one type leave the bin for good; each feature brings its own. */
export interface BinRemoval {
  resource_type: BinnedType;
  /** What is held meanwhile. */
  keysOf(project_id: string, resource_id: string): LockKey[];
  /** Deletes what is in the bin, so that its name is free; what takes long is finished by an asynchronous action. */
  remove(change: Change, resource_id: string): Promise<void>;
}
