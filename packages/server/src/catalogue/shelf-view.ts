import { Map as PersistentMap } from "immutable";
import type { Claim } from "./memory/budget.js";
import type { Met, MetLately } from "./memory/met-lately.js";
import { PackedTexts } from "./packed-texts.js";
import type { Shelf, ShelfEnvironment, ShelfRow } from "./shelf.js";

/** Text by id of what was edited since the rest was packed; null: it is gone. */
export type Edited = PersistentMap<string, string | null>;

interface Parts {
  packed: PackedTexts;
  edited: Edited;
  edited_bytes: number;
  size: number;
}

/**
 * What a text takes once it is compiled, measured on the largest rules: 2 to 8 times its length, and with formulas 22 times.
 * Nothing takes nothing.
 */
const compiledBytes = (text: string) => 500 + text.length * (text.includes("_formula") ? 24 : 10);

/** What an edited entry takes beside its text and id: its place in the persistent map. */
const edited_entry_bytes = 150;

/**
 * A shelf as one version of a project has it. Entries are compiled when they are first met; those met lately stay so.
 * The next version shares all that an edit left alone.
 */
export class ShelfView<Entry> {
  private met = new Map<string, Met<Entry>>();

  constructor(
    readonly shelf: Shelf<Entry>,
    protected readonly environment: ShelfEnvironment,
    protected readonly lately: MetLately,
    protected readonly parts: Parts = nothing,
  ) {}

  get size(): number {
    return this.parts.size;
  }

  /** Memory it takes, what is compiled apart. */
  get bytes(): number {
    return this.parts.packed.bytes + this.parts.edited_bytes;
  }

  get(id: string): Entry | undefined {
    return this.meet(id)?.entry ?? undefined;
  }

  /** The entry, compiled if need be; whoever wants to say no to what it takes is asked before. */
  meet(id: string, take?: Claim["take"]): Met<Entry> | undefined {
    const known = this.met.get(id);
    if (known) {
      take?.(known.bytes);
      return known;
    }
    const text = this.textOf(id);
    if (text === undefined) return undefined;
    const bytes = compiledBytes(text);
    take?.(bytes);
    const met = { id, entry: this.shelf.compile({ id, text }, this.environment), bytes, home: this.met };
    this.lately.keep(met);
    return met;
  }

  /** The same shelf for one decision, which answers for what it meets. */
  claimedBy(claim: Claim): ShelfView<Entry> {
    return new ClaimedView(this, claim, this.environment, this.lately, this.parts);
  }

  has(id: string): boolean {
    return this.met.has(id) || this.textOf(id) !== undefined;
  }

  /** Everything on the shelf, in no particular order. */
  *rows(): Generator<ShelfRow> {
    for (const row of this.parts.packed) if (!this.parts.edited.has(row.id)) yield row;
    for (const [id, text] of this.parts.edited) if (text !== null) yield { id, text };
  }

  /** The same shelf with other texts, all of them. */
  packedAnew(packed: PackedTexts): ShelfView<Entry> {
    return this.next({ packed, edited: PersistentMap(), edited_bytes: 0, size: packed.size }, []);
  }

  /** The shelf after edits: what was read again, and without those that were edited and not found. */
  after(ids: readonly string[], rows: readonly ShelfRow[]): ShelfView<Entry> {
    const texts = new Map(rows.map(({ id, text }) => [id, text]));
    let { size, edited_bytes } = this.parts;
    const edited = this.parts.edited.withMutations((map) => {
      for (const id of ids) {
        const before = map.get(id);
        const after = texts.get(id) ?? null;
        size += Number(after !== null) - Number(this.textOf(id) !== undefined);
        edited_bytes += bytesOfEdit(id, after) - (before === undefined ? 0 : bytesOfEdit(id, before));
        map.set(id, after);
      }
    });
    return this.next({ ...this.parts, edited, edited_bytes, size }, ids);
  }

  /** The same texts for other circumstances: everything is compiled anew. */
  in(environment: ShelfEnvironment): ShelfView<Entry> {
    this.forget();
    return new ShelfView(this.shelf, environment, this.lately, this.parts);
  }

  /** Whether so much was edited that it should be packed again. */
  get is_ragged(): boolean {
    return this.parts.edited.size > 1000 && this.parts.edited_bytes * 4 > this.parts.packed.bytes;
  }

  /**
   * The texts with the edits among them, packed in pieces; `pause` is awaited between rows. What is edited meanwhile
   * stands on a later view: {@link rebased} lays it over.
   */
  async repacked(pause: () => Promise<void> | undefined): Promise<PackedTexts> {
    const edits = [...this.parts.edited].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    const packed = new PackedTexts();
    let next = 0;
    const addUpTo = (id: Buffer | null) => {
      for (; next < edits.length; next += 1) {
        const [edited, text] = edits[next] as [string, string | null];
        if (id && Buffer.compare(Buffer.from(edited), id) > 0) return;
        if (text !== null) packed.add({ id: edited, text });
      }
    };
    for (const row of this.parts.packed) {
      const { edited } = this.parts;
      addUpTo(Buffer.from(row.id));
      if (!edited.has(row.id)) packed.add(row);
      await pause();
    }
    addUpTo(null);
    return packed.sealed();
  }

  /** Whether this came of the other by edits alone. */
  isLaterThan(earlier: ShelfView<Entry>): boolean {
    return this.parts.packed === earlier.parts.packed;
  }

  /** This view on texts that were packed from an earlier one. */
  rebased(earlier: ShelfView<Entry>, packed: PackedTexts): ShelfView<Entry> {
    const edited = this.parts.edited.filter((text, id) => earlier.parts.edited.get(id) !== text);
    const edited_bytes = edited.reduce((sum, text, id) => sum + bytesOfEdit(id, text), 0);
    return this.next({ packed, edited, edited_bytes, size: this.parts.size }, []);
  }

  /** The same shelf, what is compiled kept elsewhere: for who goes through all of it and meets nothing twice. */
  keptBy(lately: MetLately): ShelfView<Entry> {
    return new ShelfView(this.shelf, this.environment, lately, this.parts);
  }

  /** Lets go of what is compiled. */
  forget(): void {
    for (const met of this.met.values()) this.lately.forget(met as Met<never>);
  }

  private textOf(id: string): string | undefined {
    const edited = this.parts.edited.get(id);
    return edited === undefined ? this.parts.packed.get(id) : (edited ?? undefined);
  }

  /** Takes over what is compiled; whoever still decides on this version compiles what they meet again. */
  private next(parts: Parts, changed: readonly string[]): ShelfView<Entry> {
    const view = new ShelfView(this.shelf, this.environment, this.lately, parts);
    for (const id of changed) {
      const met = this.met.get(id);
      if (met) this.lately.forget(met as Met<never>);
    }
    view.met = this.met;
    this.met = new Map();
    return view;
  }
}

/** What one decision has met of a shelf stays for it, also where there is no room to keep it. */
class ClaimedView<Entry> extends ShelfView<Entry> {
  private readonly held = new Map<string, Met<Entry>>();

  constructor(
    private readonly base: ShelfView<Entry>,
    private readonly claim: Claim,
    environment: ShelfEnvironment,
    lately: MetLately,
    parts: Parts,
  ) {
    super(base.shelf, environment, lately, parts);
  }

  override get(id: string): Entry | undefined {
    let met = this.held.get(id);
    if (!met) {
      met = this.base.meet(id, this.claim.take);
      if (!met) return undefined;
      this.held.set(id, met);
    }
    return met.entry ?? undefined;
  }
}

const nothing: Parts = { packed: PackedTexts.of([]), edited: PersistentMap(), edited_bytes: 0, size: 0 };

const bytesOfEdit = (id: string, text: string | null) => edited_entry_bytes + id.length + (text?.length ?? 0);
