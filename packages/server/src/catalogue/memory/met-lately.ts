/** A compiled entry, and where it is kept. */
export interface Met<Entry> {
  readonly id: string;
  /** Null: it cannot be read. */
  readonly entry: Entry | null;
  readonly bytes: number;
  readonly home: Map<string, Met<Entry>>;
}

/** Keeps what was met lately compiled, over all shelves of all projects; what was compiled first goes first. */
export class MetLately {
  private readonly all = new Set<Met<unknown>>();
  private taken = 0;

  constructor(private readonly bytes_max: number) {}

  get bytes(): number {
    return this.taken;
  }

  /** What is larger than a quarter of the room is not kept: it would take the place of everybody else's. */
  keep<Entry>(met: Met<Entry>): void {
    if (met.bytes * 4 > this.bytes_max) return;
    met.home.set(met.id, met);
    this.all.add(met as Met<unknown>);
    this.taken += met.bytes;
    for (const oldest of this.all) {
      if (this.taken <= this.bytes_max) break;
      this.forget(oldest);
    }
  }

  forget(met: Met<never> | Met<unknown>): void {
    if (!this.all.delete(met as Met<unknown>)) return;
    this.taken -= met.bytes;
    if (met.home.get(met.id) === met) met.home.delete(met.id);
  }
}
