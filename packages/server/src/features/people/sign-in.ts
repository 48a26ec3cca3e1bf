/** A session that nobody uses ends. */
export const idle_ms = 12 * 3_600_000;
/** However much it is used. */
export const session_ms = 30 * 24 * 3_600_000;
/** How exactly it is known when a session was last used, so that not every request writes. */
export const seen_ms = 60_000;
/** Somebody's; a new one beyond them ends the oldest. */
export const sessions_max = 50;

/** How long a link may be followed; those of one person at a time, the newest. */
export const link_ms = 24 * 3_600_000;
export const links_max = 20;

/** How many attempts to sign in may fail: for one e-mail from one address, and from one address for all. */
export const of_email = { attempts_max: 10, window_ms: 15 * 60_000 };
export const of_address = { attempts_max: 100, window_ms: 3_600_000 };
/** As long as any of them counts. */
export const kept_attempts_ms = of_address.window_ms;

/**
 * How long to wait until another attempt may be made; null: none too many yet.
 * @param attempts newest first
 */
export function attemptsEndIn(
  attempts: readonly { created_at: number; is_same: boolean }[],
  instant: number,
): number | null {
  const waits = [
    { rule: of_address, counted: attempts },
    { rule: of_email, counted: attempts.filter(({ is_same }) => is_same) },
  ].flatMap(({ rule: { attempts_max, window_ms }, counted }) => {
    // One more may be made once this one has left the window.
    const oldest = counted[attempts_max - 1];
    return oldest && oldest.created_at > instant - window_ms ? [oldest.created_at + window_ms - instant] : [];
  });
  return waits.length === 0 ? null : Math.max(...waits);
}
