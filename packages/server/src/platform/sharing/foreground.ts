import { setTimeout as pause } from "node:timers/promises";

/** So many requests in such a time, and somebody waits for answers. One who asks now and then how far an action is does not count. */
const window_ms = 100;
const asked_min = 3;
/** Longer than any step that gives way takes. */
const rest_ms_max = 1_000;

/** Whether people ask this process for answers: work that nobody waits for leaves half of the time to them. */
export class Foreground {
  private since = Number.NEGATIVE_INFINITY;
  private now = 0;
  private before = 0;

  /** For each request that comes in. */
  asked(): void {
    this.roll();
    this.now += 1;
  }

  isBusy(): boolean {
    this.roll();
    return Math.max(this.now, this.before) >= asked_min;
  }

  /** Rests as long as it has worked, while others ask. */
  async giveWay(worked_ms: number): Promise<void> {
    if (this.isBusy()) await pause(Math.min(worked_ms, rest_ms_max));
  }

  private roll(): void {
    const passed = performance.now() - this.since;
    if (passed < window_ms) return;
    this.before = passed < 2 * window_ms ? this.now : 0;
    this.now = 0;
    this.since = performance.now();
  }
}
