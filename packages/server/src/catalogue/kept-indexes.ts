import { slices } from "../platform/sharing/slices.js";
import type { Catalogue } from "./catalogue.js";
import { MetLately } from "./memory/met-lately.js";
import type { OpenIndex, ShelfIndex } from "./shelf-index.js";

/** Of so many a swap takes some ten milliseconds; beyond them an index is made anew, beside the answers. */
const swapped_max = 1000;

/** For who goes through a whole shelf: what one entry has in common with the next. */
const passing_bytes_max = 2_000_000;

const inPassing = (catalogue: Catalogue) => catalogue.keptBy(new MetLately(passing_bytes_max));

type Opened = OpenIndex<unknown>;
type Definition = ShelfIndex<unknown>;

/** The indexes of one project: made on first use, then swapped together with its catalogue. */
export class KeptIndexes {
  private readonly live = new Map<Definition, Opened>();
  private readonly being_made = new Map<Definition, Making>();

  /** @param current the project's catalogue as it is kept now */
  constructor(private readonly current: () => Catalogue) {}

  get bytes(): number {
    let sum = 0;
    for (const index of this.live.values()) sum += index.bytesOf(this.current());
    return sum;
  }

  /** Undefined while it is not there: {@link make} it. */
  get<Index>(definition: ShelfIndex<Index>): Index | undefined {
    return this.live.get(definition as Definition)?.index as Index | undefined;
  }

  /** Fills an index in slices, beside the answers of those who need none. */
  make(definition: Definition): Promise<void> {
    const known = this.being_made.get(definition);
    if (known) return known.done;
    const making = new Making(definition, this.current, (opened) => this.live.set(definition, opened));
    this.being_made.set(definition, making);
    making.done = making.fill().finally(() => this.being_made.delete(definition));
    return making.done;
  }

  /** Prepares the swap to the next version; what it answers must run in the turn in which the catalogue is swapped. */
  async follow(before: Catalogue, after: Catalogue, edited: readonly string[] | null): Promise<() => void> {
    const steps: (() => void)[] = [];
    const followed = new Set<Definition>();
    const pause = slices();
    const [from, to] = [inPassing(before), inPassing(after)];
    for (const [definition, opened] of this.live) {
      followed.add(definition);
      const touched = edited === null ? null : opened.touchedBy(edited, from, to);
      if (touched === null || touched.size > swapped_max) {
        steps.push(() => this.live.delete(definition));
        continue;
      }
      for (const id of touched) {
        steps.push(opened.prepare(id, from, to));
        await pause();
      }
    }
    return () => {
      for (const step of steps) step();
      // Made meanwhile, of the version that is left now.
      for (const definition of this.live.keys()) if (!followed.has(definition)) this.live.delete(definition);
      for (const making of this.being_made.values()) making.edited(edited);
    };
  }
}

/** An index on its way to the version that its project has by the time it is there. */
class Making {
  done: Promise<void> = Promise.resolve();
  private edits: string[] = [];
  private is_stale = false;

  constructor(
    private readonly definition: Definition,
    private readonly current: () => Catalogue,
    private readonly ready: (opened: Opened) => void,
  ) {}

  /** Told with each swap; null: everything may have changed. */
  edited(ids: readonly string[] | null): void {
    if (ids === null) this.is_stale = true;
    else this.edits.push(...ids);
  }

  async fill(): Promise<void> {
    const pause = slices();
    let opened = this.definition.open();
    let told: Catalogue | null = null;
    do {
      if (this.is_stale) {
        opened = this.definition.open();
        told = null;
      }
      this.is_stale = false;
      const edits = this.edits.splice(0);
      const to = inPassing(this.current());
      for (const id of told === null ? opened.ids(to) : opened.touchedBy(edits, told, to)) {
        opened.prepare(id, told, to)();
        await pause();
        if (this.is_stale) break;
      }
      told = to;
    } while (this.is_stale || this.edits.length > 0);
    // In the turn in which it was found to be as new as the catalogue.
    this.ready(opened);
  }
}
