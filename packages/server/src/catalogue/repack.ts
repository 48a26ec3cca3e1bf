import { slices } from "../platform/sharing/slices.js";
import type { Catalogue } from "./catalogue.js";
import type { Shelf } from "./shelf.js";
import type { ShelfView } from "./shelf-view.js";

const being_packed = new WeakSet<object>();

/** Packs shelves of which much was edited, beside the answers; nobody waits for it, and nobody sees a difference. */
export function packAnew(kept: { catalogue: Catalogue }): void {
  if (being_packed.has(kept)) return;
  const ragged = [...kept.catalogue.shelves].filter(([, view]) => view.is_ragged);
  if (ragged.length === 0) return;
  being_packed.add(kept);
  void pack(kept, ragged).finally(() => being_packed.delete(kept));
}

async function pack(
  kept: { catalogue: Catalogue },
  ragged: readonly (readonly [Shelf<unknown>, ShelfView<unknown>])[],
): Promise<void> {
  for (const [shelf, view] of ragged) {
    const packed = await view.repacked(slices());
    const now = kept.catalogue.shelves.get(shelf);
    // Read as a whole meanwhile, or in another time zone: that is not what was packed.
    if (now?.isLaterThan(view)) kept.catalogue = kept.catalogue.with(new Map([[shelf, now.rebased(view, packed)]]));
  }
}
