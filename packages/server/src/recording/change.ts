import type { Cause, NewEvent } from "../events/index.js";
import type { Context } from "../platform/context.js";
import type { Tx } from "../platform/db/database.js";
import type { Problem } from "../platform/http/problems.js";
import type { Deferred } from "./batch.js";
import type { EditedObject } from "./edits.store.js";
import { AnswersOf } from "./idempotency/answers.js";
import { bodyOf, type Outcome, type Render, type RenderEach, type Requested } from "./outcome.js";
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

type Recording = Pick<Context, "db" | "bell" | "seal">;

/**
 * One transaction that changes state, with all that must go with it: rows, events and their outbox, what the catalogue
 * must hear of, the answer to whoever may ask again, in one order for everybody (architecture: "one mechanism to record").
 * The work may run several times (`Database.transaction`); what an earlier try collected is forgotten with it. A problem
 * that it throws leaves nothing; one that it answers is thrown once the change is committed.
 *
 * What comes out of it is what the operation answers, so that it can be kept; `render` where the work answers something else.
 */
export function change<Answer>(
  context: Recording,
  cause: Requested,
  work: (change: Change) => Promise<Answer>,
): Promise<Exclude<Answer, Problem>>;
export function change<Answer, Body>(
  context: Recording,
  cause: Requested,
  work: (change: Change) => Promise<Answer>,
  render: Render<Answer, Body>,
): Promise<Body>;
export async function change<Answer, Body>(
  context: Recording,
  cause: Requested,
  work: (change: Change) => Promise<Answer>,
  render: Render<Answer, Body> = (answer) => answer as Body,
): Promise<Body> {
  const [outcome] = await changeTogether(context, [cause], async (change) => [await work(change)], render);
  if (!outcome || "deferred" in outcome) throw new Error("what comes alone is not deferred");
  return bodyOf(outcome);
}

/**
 * The same for requests of one project that share a transaction.
 * @param work is asked for those whose keys have no answer yet, by their places, and answers for each
 * @param render is told the place as well
 */
export async function changeTogether<Answer, Body>(
  { db, bell, seal }: Recording,
  causes: readonly Requested[],
  work: (change: Change, places: readonly number[]) => Promise<readonly (Answer | Problem | Deferred)[]>,
  render: RenderEach<Answer, Body>,
): Promise<(Outcome<Body> | Deferred)[]> {
  const [cause] = causes;
  if (!cause) return [];
  const { ringing, answers } = await db.transaction(async (tx) => {
    const writes = new WriteSet();
    const answers = new AnswersOf<Answer, Body>(tx, seal, causes, render);
    const places = await answers.unsettled();
    if (places.length > 0) {
      const done = await work(changeOn(tx, cause, writes), places);
      tx.steps.enter("write");
      await writes.write(tx, { is_lone: causes.length === 1 });
      // What is kept is made of what was written, and so comes behind it.
      await answers.keep(places, done);
      tx.meanwhile(() => answers.makeOthers(db.of(cause.project_id)));
    }
    return { ringing: writes.ringing(), answers };
  }, cause.project_id);
  for (const name of ringing) bell.ring(name);
  return answers.all();
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
