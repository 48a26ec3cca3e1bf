import type { Cause } from "../../../events/index.js";
import type { Change } from "../../../recording/index.js";

/** A part of a change that is written once it is whole, or not at all; what it tells is told to nobody. */
export function heldBack(change: Change, cause: Cause): { change: Change; release(): void } {
  const writes: (() => void)[] = [];
  return {
    change: {
      ...change,
      cause,
      add: (part, ...rows) => void writes.push(() => change.add(part, ...rows)),
      tell() {},
    },
    release() {
      for (const write of writes) write();
    },
  };
}
