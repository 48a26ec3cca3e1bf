import type { Tx } from "../platform/db/database.js";
import { type LockKey, tryKeys } from "../platform/db/locks.js";

/**
 * What only one request at a time may work on. Who comes meanwhile, here or elsewhere, is not kept waiting but told so
 * (redemption.md §4, A8 and §11), since a second click would do a thing twice. The keys are only ever tried and so stand in
 * nobody's order of locks; whatever must not change meanwhile is held by keys of its own.
 */
export class InUse<Request> {
  /** Who of this transaction asked first, by the name of the key. */
  private readonly first = new Map<string, Request>();
  private readonly taken = new Map<Request, LockKey>();
  private readonly had = new Set<Request>();

  /** A try of the transaction begins. Who had something in an earlier one may meet what is left of that, and waits for it. */
  begin(): void {
    for (const request of this.first.values()) if (!this.taken.has(request)) this.had.add(request);
    this.first.clear();
    this.taken.clear();
  }

  /** Takes what is free. May be called again, once other names of the same things are known. */
  async take(tx: Tx, wanted: readonly { request: Request; key: LockKey }[]): Promise<void> {
    if (wanted.length === 0) return;
    const free = await tryKeys(
      tx,
      wanted.map(({ key }) => key),
    );
    this.note(wanted, (i) => free[i] === true);
  }

  /** What another statement has tried, and got all of. */
  noteFree(wanted: readonly { request: Request; key: LockKey }[]): void {
    this.note(wanted, () => true);
  }

  private note(wanted: readonly { request: Request; key: LockKey }[], isFree: (place: number) => boolean): void {
    for (const [i, { request, key }] of wanted.entries()) {
      const name = `${key.project_id} ${key.kind} ${key.id}`;
      const first = this.first.get(name) ?? request;
      this.first.set(name, first);
      const is_free = first === request && (isFree(i) || this.had.has(request));
      if (!is_free && !this.taken.has(request)) this.taken.set(request, key);
    }
  }

  /** What others are at work on, of what the request has asked for: the first of it. */
  takenFrom(request: Request): LockKey | undefined {
    return this.taken.get(request);
  }
}
