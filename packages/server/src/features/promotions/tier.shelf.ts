import {
  type CompiledDiscount,
  type CompiledWindow,
  compileDiscount,
  compileWindow,
  type Discount,
} from "@guerdon/engine";
import { shelf } from "../../catalogue/index.js";
import type { Instant } from "../../platform/clock.js";
import { type StoredWindow, windowOfStored } from "../../terms/index.js";
import { tierTextsAfter, tierTextsOfIds } from "./tier.store.js";

/** A promotion tier as decisions see it. */
export interface CatalogueTier {
  id: string;
  campaign_id: string;
  active: boolean;
  category_id: string | null;
  discount: CompiledDiscount;
  /** Formulas may look at it. */
  metadata: Record<string, unknown>;
  window: CompiledWindow;
  created_at: Instant;
}

type Stored = [
  campaign_id: string,
  active: boolean,
  category_id: string | null,
  discount: Discount,
  metadata: Record<string, unknown> | null,
  created_at: Instant,
  window: StoredWindow,
];

export const tierShelf = shelf<Stored, CatalogueTier>({
  kind: "promotion_tier",
  page: tierTextsAfter,
  byIds: tierTextsOfIds,
  compile: (id, [campaign_id, active, category_id, discount, metadata, created_at, stored], { time_zone }) => ({
    id,
    campaign_id,
    active,
    category_id,
    discount: compileDiscount(discount),
    metadata: metadata ?? {},
    window: compileWindow(windowOfStored(stored), time_zone),
    created_at,
  }),
});
