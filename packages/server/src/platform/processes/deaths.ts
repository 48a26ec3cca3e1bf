const within_ms = 60_000;

/** Counts what ended by itself within the last minute: whoever starts it again learns here when to give up. */
export class Deaths {
  private latest: number[] = [];

  /** @param deaths_max so many within a minute are too many */
  constructor(readonly deaths_max: number) {}

  /** Notes one. True: there is no point in going on. */
  note(): boolean {
    const now = performance.now();
    this.latest = [...this.latest.filter((at) => now - at < within_ms), now];
    return this.latest.length >= this.deaths_max;
  }
}
