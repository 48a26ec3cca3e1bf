import { appendFileSync, readFileSync } from "node:fs";
import * as counters from "../../../../dist/books/counters.store.js";
import * as deciding from "../../../../dist/deciding/under-keys.js";
import { isDisbelief } from "../../../../dist/features/projects/belief.js";
import * as locks from "../../../../dist/platform/db/locks.js";
import { sql } from "../../../../dist/platform/db/sql.js";
import * as recording from "../../../../dist/recording/change.js";

// Read here alone: `config.ts` knows neither.
const { HISTORY_NOTES: notes_file = "", HISTORY_FAULT: fault_file = "" } = process.env;
/** What is to go wrong now; nothing as long as the file is empty. */
const faultNow = () => readFileSync(fault_file, "utf8");

/** What is noted of a transaction, by the object that its work is given. */
const notes = new WeakMap();

function noteOf(tx) {
  const known = notes.get(tx);
  if (known) return known;
  const made = {
    requests: [],
    number: null,
    keys: [],
    version: null,
    made: null,
    counts: [],
  };
  notes.set(tx, made);
  return made;
}

function write({ is_hidden, ...note }) {
  if (!is_hidden) appendFileSync(notes_file, `${JSON.stringify(note)}\n`);
}

export async function lockKeys(tx, keys) {
  await whileHeld(tx, () => locks.lockKeys(tx, keys));
  noteOf(tx).keys.push(...keys.map(({ kind, id, shared }) => ({ name: `${kind}:${id}`, shared: shared === true })));
}

export async function lockNamed(tx, names) {
  const locked = await whileHeld(tx, () => locks.lockNamed(tx, names));
  for (const text of locked?.held.alone ?? []) noteOf(tx).keys.push({ name: nameIn(text), shared: false });
  for (const text of locked?.held.shared ?? []) noteOf(tx).keys.push({ name: nameIn(text), shared: true });
  return locked;
}

/** A key among those of its project. */
const nameIn = (text) => text.slice(text.indexOf("\n") + 1);

/** Draws a number while the keys are held: sent right behind the lock, before what is read under it. */
async function whileHeld(tx, lock) {
  const note = noteOf(tx);
  const fault = faultNow();
  if (fault === "reads before the lock") await new Promise(setImmediate);
  const locked = fault === "no lock" ? undefined : lock();
  const drawn = tx.one(sql`select nextval('history_numbers') as number`);
  const [answer, { number }] = await Promise.all([locked, drawn]);
  note.number = number;
  return answer;
}

/** Of several tries the last is noted, and of what was refused what it had seen until then. */
export async function change(context, cause, work, ...render) {
  let note;
  let xid;
  const seen = async (change) => {
    note = noteOf(change.tx);
    const answer = await work(change);
    xid = (await change.tx.one(sql`select pg_current_xact_id()::text as xid`)).xid;
    return answer;
  };
  try {
    const answer = await recording.change(context, cause, seen, ...render);
    write({ ...note, made: await versionMadeBy(context.db, xid), requests: [cause.request_id] });
    return answer;
  } catch (error) {
    // What has failed is done again, but a refusal is an answer.
    if (note && typeof error.status === "number") write({ ...note, requests: [cause.request_id], refused: true });
    throw error;
  }
}

/** The version that an edit has made: it goes out with the COMMIT, and the rows that it wrote bear the transaction's number. */
async function versionMadeBy(db, xid) {
  const { version } = await db.one(sql`
    select max(catalogue_changes.version) as version from catalogue_changes where catalogue_changes.xmin::text = ${xid}`);
  return version;
}

/** Put off, or to begin anew since its key was not what it was let in on: a later transaction records it. */
const isRecordedLater = ({ deferred, failed }) => deferred === true || isDisbelief(failed);

/** Which requests were recorded together, in their order. */
export async function changeTogether(context, causes, work, render) {
  let note;
  const seen = (change, places) => {
    note = noteOf(change.tx);
    return work(change, places);
  };
  const outcomes = await recording.changeTogether(context, causes, seen, render);
  write({
    ...note,
    requests: causes.filter((_, i) => !isRecordedLater(outcomes[i])).map(({ request_id }) => request_id),
  });
  return outcomes;
}

let batches = 0;

/** Notes the version that was decided on. */
export async function changeOnFacts(deciding_with, requests, record, render) {
  const noting = (is_hidden) => (change, shared, place) => {
    Object.assign(noteOf(change.tx), { version: shared.catalogue.version, is_hidden });
    return record(change, shared, place);
  };
  batches += 1;
  if (faultNow() === "a batch twice" && batches % 10 === 0)
    await deciding.changeOnFacts(deciding_with, requests, noting(true), render);
  return deciding.changeOnFacts(deciding_with, requests, noting(false), render);
}

/** What was counted under the keys. */
export async function readCounts(db, project_id, counted) {
  const read = await counters.readCounts(db, project_id, counted);
  const note = notes.get(db);
  if (note && read.sums)
    note.counts = counted.map(({ scope, customer_id }, i) => ({ object_id: scope.id, customer_id, ...read.sums[i] }));
  return read;
}
