import { Map as PersistentMap } from "immutable";
import type { Met, MetLately } from "./met-lately.js";
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

/** A compiled rule takes some seven times its text, and nothing takes nothing. */
const compiled_bytes = (text: string) => 200 + 8 * text.length;

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
    private readonly environment: ShelfEnvironment,
    private readonly lately: MetLately,
    private readonly parts: Parts = nothing,
  ) {}

  get size(): number {
    return this.parts.size;
  }

  /** Memory it takes, what is compiled apart. */
  get bytes(): number {
    return this.parts.packed.bytes + this.parts.edited_bytes;
  }

  get(id: string): Entry | undefined {
    const known = this.met.get(id);
    if (known) return known.entry ?? undefined;
    const text = this.textOf(id);
    if (text === undefined) return undefined;
    const entry = this.shelf.compile({ id, text }, this.environment);
    this.lately.keep({ id, entry, bytes: compiled_bytes(text), home: this.met });
    return entry ?? undefined;
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

const nothing: Parts = { packed: PackedTexts.of([]), edited: PersistentMap(), edited_bytes: 0, size: 0 };

const bytesOfEdit = (id: string, text: string | null) => edited_entry_bytes + id.length + (text?.length ?? 0);
