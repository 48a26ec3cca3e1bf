import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { markKeysUsed } from "./api-keys.store.js";

const minute_ms = 60_000;
/** Keys that wait to be written; what comes beyond is noted with its next call. */
const waiting_max = 10_000;

/** Notes when keys were used, to the minute: whoever calls waits for none of it, and a key is written once a minute at most. */
export interface KeyUses {
  note(project_id: string, key_id: string, instant: Instant): void;
  flush(): Promise<void>;
}

export function openKeyUses({ db, log }: Pick<Context, "db" | "log">): KeyUses {
  const waiting = new Map<string, { project_id: string; id: string; used_at: Instant }>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...waiting.values()];
    waiting.clear();
    if (uses.length === 0) return;
    await markKeysUsed(db, uses).catch((err: Error) =>
      log.warn({ keys: uses.length, err }, "when keys were used could not be kept"),
    );
  }

  return {
    note(project_id, id, instant) {
      if (waiting.size >= waiting_max && !waiting.has(id)) return;
      waiting.set(id, { project_id, id, used_at: instant - (instant % minute_ms) });
      timer ??= setTimeout(() => void flush(), minute_ms).unref();
    },
    flush,
  };
}
