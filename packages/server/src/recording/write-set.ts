import { insertEvents } from "../events/append.js";
import type { Cause, NewEvent } from "../events/index.js";
import type { Tx } from "../platform/db/database.js";
import type { Sql } from "../platform/db/sql.js";
import { type EditedObject, recordEdits } from "./edits.store.js";
import type { Part, Stage, Writing } from "./part.js";

type AnyPart = Part<unknown>;

const stages: readonly Stage[] = ["objects", "books", "shared"];

/** Everything that a transaction is about to write, as values: decided first, written together at its end. */
export class WriteSet {
  private readonly parts = new Map<string, Map<AnyPart, unknown[]>>();
  private readonly events: { cause: Cause; events: NewEvent[] }[] = [];
  private readonly edits = new Map<string, EditedObject[]>();
  private readonly rings = new Set<string>();

  add<Row>(project_id: string, part: Part<Row>, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const of_project = this.parts.get(project_id) ?? new Map<AnyPart, unknown[]>();
    this.parts.set(project_id, of_project);
    const known = of_project.get(part as AnyPart);
    if (known) known.push(...rows);
    else of_project.set(part as AnyPart, [...rows]);
  }

  tell(cause: Cause, events: readonly NewEvent[]): void {
    if (events.length > 0) this.events.push({ cause, events: [...events] });
  }

  edited(project_id: string, objects: readonly EditedObject[]): void {
    if (objects.length === 0) return;
    const known = this.edits.get(project_id) ?? [];
    this.edits.set(project_id, known);
    for (const one of objects) known.push(one);
  }

  ring(name: string): void {
    this.rings.add(name);
  }

  /** What to ring for once all this is committed. */
  ringing(): ReadonlySet<string> {
    return this.events.length > 0 ? new Set([...this.rings, "outbox"]) : this.rings;
  }

  /**
   * Sends every statement together; they are done one after the other, and should one fail, those behind it fail with it.
   * The order is the same for everyone, so that no two changes wait for each other: objects, books, events, then what many
   * share, and the row of the project's version, which every request reads, at the very end.
   *
   * @param is_lone it is made of one request: the database, which has little else to do, begins with those that are made first while
   * the others are being made. Of many it would be woken for nothing.
   */
  async write(tx: Tx, { is_lone = false } = {}): Promise<void> {
    const answered: Promise<unknown>[] = [];
    for (const stage of stages) {
      if (is_lone) tx.flush();
      for (const one of this.writings(stage)) {
        if (isBlind(one)) tx.send(one);
        else answered.push(heard(one(tx)));
      }
    }
    await Promise.all(answered);
    tx.send(this.editings());
  }

  private writings(stage: Stage): Writing[] {
    const writings = sorted(this.parts).flatMap(([project_id, parts]) =>
      [...parts]
        .filter(([{ stage: own }]) => own === stage)
        .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
        .map(([part, rows]) => part.write(project_id, latest(part, rows))),
    );
    return stage === "shared" ? [insertEvents(this.events), ...writings] : writings;
  }

  private editings(): Sql[] {
    return sorted(this.edits).map(([project_id, objects]) => recordEdits(project_id, objects));
  }
}

/** Awaited with the others, if they can be made at all. */
function heard(answer: Promise<unknown>): Promise<unknown> {
  answer.catch(() => undefined);
  return answer;
}

const isBlind = (writing: Writing): writing is readonly Sql[] => typeof writing !== "function";

/** By project, so that no two changes of the same projects wait for each other. */
const sorted = <Of>(of_projects: ReadonlyMap<string, Of>): [string, Of][] =>
  [...of_projects].sort(([a], [b]) => (a < b ? -1 : 1));

function latest({ keyOf }: AnyPart, rows: readonly unknown[]): readonly unknown[] {
  return keyOf ? [...new Map(rows.map((row) => [keyOf(row), row])).values()] : rows;
}
