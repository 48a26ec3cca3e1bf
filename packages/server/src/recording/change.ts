import type { Cause, NewEvent } from "../events/index.js";
import type { Context } from "../platform/context.js";
import type { Tx } from "../platform/db/database.js";
import type { EditedObject } from "./edits.store.js";
import type { Part } from "./part.js";
import { WriteSet } from "./write-set.js";

/** A change of state while it is being made: what belongs to it is collected here, and written at its end. */
export interface Change {
  readonly tx: Tx;
  /** The request, or the work of our own, that makes it. */
  readonly cause: Cause;
  /** Rows that are written with those of everybody who adds to the part. Not to be read back before the commit. */
  add<Row>(part: Part<Row>, ...rows: readonly Row[]): void;
  /** Events that become true with it. */
  tell(...events: readonly NewEvent[]): void;
  /** Objects of the catalogue that it changes: every node re-reads them with its next request. */
  edited(...objects: readonly EditedObject[]): void;
  /** Rings in this process once it is committed; for the outbox nobody need ask. */
  ring(name: string): void;
  /** The same change on behalf of another request that shares its transaction. */
  causedBy(cause: Cause): Change;
}

/**
 * One transaction that changes state, with all that must go with it: rows, events and their outbox, what the catalogue
 * must hear of, in one order for everybody (architecture: "one mechanism to record"). The work may run several times
 * (`Database.transaction`); what an earlier try collected is forgotten with it.
 */
export async function change<Answer>(
  { db, bell }: Pick<Context, "db" | "bell">,
  cause: Cause,
  work: (change: Change) => Promise<Answer>,
): Promise<Answer> {
  let ringing: ReadonlySet<string> = new Set();
  const answer = await db.transaction(async (tx) => {
    const writes = new WriteSet();
    const answer = await work(changeOn(tx, cause, writes));
    tx.steps.enter("write");
    await writes.write(tx);
    ringing = writes.ringing();
    return answer;
  }, cause.project_id);
  for (const name of ringing) bell.ring(name);
  return answer;
}

/**
 * The same in a transaction that somebody else has opened and commits: of an inbox, which does what follows from events of
 * many projects. Nothing rings, since nothing is committed yet; the loop that opened it looks again by itself.
 */
export async function changeWithin<Answer>(
  tx: Tx,
  work: (changeBy: (cause: Cause) => Change) => Promise<Answer>,
): Promise<Answer> {
  const writes = new WriteSet();
  const answer = await work((cause) => changeOn(tx, cause, writes));
  await writes.write(tx);
  return answer;
}

function changeOn(tx: Tx, cause: Cause, writes: WriteSet): Change {
  return {
    tx,
    cause,
    add: (part, ...rows) => writes.add(cause.project_id, part, rows),
    tell: (...events) => writes.tell(cause, events),
    edited: (...objects) => writes.edited(cause.project_id, objects),
    ring: (name) => writes.ring(name),
    causedBy: (other) => changeOn(tx, other, writes),
  };
}
