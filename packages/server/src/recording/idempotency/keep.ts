import type { Queries, Tx } from "../../platform/db/database.js";
import { type LockKey, tryKeys } from "../../platform/db/locks.js";
import type { Seal } from "../../platform/secrets.js";
import { findKept, insertKept, type KeptRow } from "./kept-answers.store.js";
import { type KeptAnswer, type Keyed, kept_bytes_max, kept_ms, key_problems, Settled } from "./keyed.js";

/** A request and what it is answered. */
export interface Answered {
  keyed: Keyed;
  status: number;
  /** As it is sent. */
  body: string;
}

/**
 * Tries the keys of requests and says which of them have their answer, or are being worked on elsewhere: at the beginning of
 * the transaction that does the others. A key is tried and not awaited, in a statement of its own: in one with the locks of
 * what the request is about, whoever sends it again would first wait for whatever the first one waits for.
 */
export async function settle(tx: Tx, seal: Seal, requests: readonly Keyed[]): Promise<Map<Keyed, Settled>> {
  const [had, kept] = await Promise.all([tryKeys(tx, requests.map(lockOf)), findAnswers(tx, requests)]);
  const settled = new Map<Keyed, Settled>();
  for (const [i, one] of requests.entries()) {
    const row = kept.find(({ side, key }) => side === one.side && key === one.key);
    if (row) settled.set(one, toldBy(row, one, seal));
    else if (!had[i]) settled.set(one, new Settled(key_problems.inUse()));
  }
  return settled;
}

/** What the key of a request says outside of any transaction; undefined where the request is to be done. */
export async function lookUp(db: Queries, seal: Seal, keyed: Keyed): Promise<Settled | undefined> {
  const [row] = await findAnswers(db, [keyed]);
  return row && toldBy(row, keyed, seal);
}

/** Keeps answers in the transaction that makes them true, whose beginning has settled their keys. */
export async function keepAnswers(tx: Tx, seal: Seal, answers: readonly Answered[]): Promise<void> {
  const [first] = answers;
  if (first) await insertKept(tx, first.keyed.project_id, answers.map(rowOf(seal)));
}

const rowOf =
  (seal: Seal) =>
  ({ keyed: { side, key, request_hash, instant, has_secret }, status, body }: Answered): KeptRow => {
    const body_bytes = Buffer.byteLength(body);
    const is_kept = body_bytes <= kept_bytes_max;
    const shown = has_secret ? seal.seal(body).toString("base64") : body;
    return {
      side,
      key,
      request_hash,
      status,
      body: is_kept ? shown : null,
      body_bytes,
      is_sealed: has_secret,
      created_at: instant,
    };
  };

function toldBy(row: KeptRow, { request_hash }: Keyed, seal: Seal): Settled {
  if (row.request_hash !== request_hash) return new Settled(key_problems.reused());
  const { status, body, body_bytes, is_sealed } = row;
  const answer: KeptAnswer = {
    status,
    body: body !== null && is_sealed ? seal.open(Buffer.from(body, "base64")) : body,
    body_bytes,
  };
  return new Settled(body === null ? key_problems.answerTooLarge(answer) : answer);
}

/** What shares a transaction is of one project. */
function findAnswers(db: Queries, requests: readonly Keyed[]): Promise<KeptRow[]> {
  const instant = Math.max(...requests.map((one) => one.instant));
  return findKept(db, requests[0]?.project_id ?? "", requests, instant - kept_ms);
}

const lockOf = ({ project_id, side, key }: Keyed): LockKey => ({ project_id, kind: "request", id: `${side} ${key}` });
