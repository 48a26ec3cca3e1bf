import type { Instant } from "../platform/clock.js";
import type { Context } from "../platform/context.js";
import type { Change } from "../recording/index.js";

/** A walk over many objects of a project, as it stands. */
export interface Walk<State> {
  project_id: string;
  /** What of the project it goes over; empty where the project is enough. */
  subject_id: string;
  /** The request that caused it; null: the passing of time. */
  request_id: string | null;
  /** How far it has come. */
  state: State;
  due_at: Instant;
  /** As many objects as the next slice takes. */
  size: number;
}

/** Where a walk goes on, at once unless said; or that it has come to its end. */
export type Going<State> = { state: State; due_at?: Instant } | "over";

/** Some objects, and what is done to them. */
export interface Slice<State> {
  ids: readonly string[];
  run(): Promise<void>;
  /** Where the walk goes on behind them, whether that was done or they are passed over. */
  next: Going<State>;
  /** Where it goes on once they were done as far as one transaction goes, when that is before their end; asked after `run`. */
  left?(): Going<State> | undefined;
}

/**
 * Something that is done to many objects of a project, in slices: each is a change of its own together with how far the walk has
 * come, so that a process that is killed anywhere has done a slice or has not. Features export one as a schedule
 * (`walking`), or as a work where somebody waits for it (`walkingAtOnce`), and begin walks of it with `startWalks`.
 */
export interface WalkKind<State, About> {
  /** Stored with each walk, and the name of its schedule or bell; it stays as it is. */
  name: string;
  /** The most objects of a slice. */
  size_max: number;
  /** It rests so many times as long as a slice took; 1 unless said. More where nobody ever waits for its end, as at night. */
  rests?: number;
  /** What the next slice is about and when it happens, read outside of its transaction; or where the walk goes on without one. */
  begin(context: Context, walk: Walk<State>, instant: Instant): Promise<Begun<About> | Going<State>>;
  /** The next slice, found without locks: what it runs takes the keys that it needs. Or where the walk goes on without one. */
  slice(on: OnWalk<State, About>): Promise<Slice<State> | Going<State>>;
}

export interface Begun<About> {
  about: About;
  /** What the slice does is dated so, however late it is done. */
  dated: Instant;
}

/** `begin` of a walk whose slices need to know nothing and happen when they are done. */
export const beginNow = async (_context: Context, _walk: Walk<unknown>, instant: Instant): Promise<Begun<null>> => ({
  about: null,
  dated: instant,
});

/** What a slice is made of. */
export interface OnWalk<State, About> {
  context: Context;
  /** On behalf of the service. */
  change: Change;
  walk: Walk<State>;
  about: About;
  /** Now. */
  instant: Instant;
}
