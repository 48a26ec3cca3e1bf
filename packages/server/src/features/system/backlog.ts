import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Backlog } from "../../platform/metrics.js";
import { findOldest } from "./backlog.store.js";

/** However many ask, the database is asked once a second at most. */
const kept_ms = 1_000;
/** Whoever looks is to see the rest of the metrics, above all when the database is away. */
const read_ms_max = 2_000;

/** Reads how far behind the work after the answer is; null while the database does not say. */
export function backlogReader({ db, clock }: Pick<Context, "db" | "clock">): () => Promise<Backlog | null> {
  let reading: { since: number; backlog: Promise<Backlog | null> } | undefined;

  async function read(): Promise<Backlog> {
    const { in_outbox, in_inbox, action } = await findOldest(db);
    const now = clock.now();
    const age = (oldest: Instant | null) => (oldest === null ? 0 : Math.max(0, now - oldest) / 1000);
    return { outbox_age_s: age(in_outbox), inbox_age_s: age(in_inbox), async_action_age_s: age(action) };
  }

  return () => {
    const now = performance.now();
    if (!reading || now - reading.since >= kept_ms)
      reading = { since: now, backlog: atMost(read_ms_max, read()).catch(() => null) };
    return reading.backlog;
  };
}

function atMost<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const given_up = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([answer, given_up]).finally(() => clearTimeout(timer));
}
