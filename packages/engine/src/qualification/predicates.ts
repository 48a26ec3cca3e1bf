import type { Instant } from "../facts.js";

/** One value that a cart or customer may have, e.g. of `customer.segment` the id `seg_1`. */
export interface Atom {
  /** What kind of value; the names are those of {@link CartFacts}. */
  readonly family: string;
  readonly value: string;
}

/** Numbers a cart has that promotions set bounds to. Amounts in minor units. */
export const DIMENSIONS = ["instant", "initial_amount", "amount", "units"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Lower and upper bound, both included, of each dimension in turn. */
export type Bounds = readonly number[];

/** What must be true together. */
export interface Conjunction {
  /** Of each clause at least one atom. */
  readonly clauses: readonly (readonly Atom[])[];
  readonly bounds: Bounds;
}

/**
 * What is cheap to know of a promotion before its rules are judged: it cannot apply unless one of the
 * conjunctions is true. None at all: it never applies.
 */
export type Predicates = readonly Conjunction[];

const UNBOUNDED: Bounds = DIMENSIONS.flatMap(() => [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);

/** Nothing is known; the promotion is a candidate for every cart. */
export const ANYTHING: Predicates = [{ clauses: [], bounds: UNBOUNDED }];

// More alternatives than these are not worth their memory: what is left out is decided by the rule itself.
const ALTERNATIVES_MAX = 16;

/** At least one of the atoms. */
export const oneOf = (atoms: readonly Atom[]): Predicates =>
  atoms.length === 0 ? [] : [{ clauses: [atoms], bounds: UNBOUNDED }];

/** A number within bounds, both included. */
export function within(dimension: Dimension, low: number, high: number): Predicates {
  const at = DIMENSIONS.indexOf(dimension) * 2;
  return low > high ? [] : [{ clauses: [], bounds: UNBOUNDED.with(at, low).with(at + 1, high) }];
}

/** Between the two dates, both included; null is open. */
export const duringDates = (start_date: Instant | null, expiration_date: Instant | null): Predicates =>
  within("instant", start_date ?? Number.NEGATIVE_INFINITY, expiration_date ?? Number.POSITIVE_INFINITY);

/** True when all parts are. A part with too many alternatives is forgotten rather than multiplied out. */
export function allOf(parts: readonly Predicates[]): Predicates {
  const narrowest = [...parts].sort((a, b) => a.length - b.length);
  return narrowest.reduce((left, right) => {
    if (left.length * right.length > ALTERNATIVES_MAX) return left;
    return left.flatMap((one) => right.flatMap((other) => together(one, other)));
  }, ANYTHING);
}

/** True when some part is. */
export function someOf(parts: readonly Predicates[]): Predicates {
  const alternatives = parts.flat();
  if (isAnything(alternatives)) return ANYTHING;
  const merged = alternatives.filter(isOneClause).flatMap(({ clauses }) => clauses.flat());
  const rest = alternatives.filter((conjunction) => !isOneClause(conjunction));
  const all = [...oneOf(merged), ...rest];
  return all.length > ALTERNATIVES_MAX ? ANYTHING : all;
}

const isUnbounded = ({ bounds }: Conjunction) => bounds.every((bound) => !Number.isFinite(bound));

const isUnconditional = (conjunction: Conjunction) => conjunction.clauses.length === 0 && isUnbounded(conjunction);

/** True for every cart. */
export const isAnything = (predicates: Predicates) => predicates.some(isUnconditional);

const isOneClause = (conjunction: Conjunction) => conjunction.clauses.length === 1 && isUnbounded(conjunction);

function together(one: Conjunction, other: Conjunction): Conjunction[] {
  const bounds = one.bounds.map((bound, i) =>
    i % 2 === 0 ? Math.max(bound, other.bounds[i] as number) : Math.min(bound, other.bounds[i] as number),
  );
  const impossible = bounds.some((bound, i) => i % 2 === 0 && bound > (bounds[i + 1] as number));
  return impossible ? [] : [{ clauses: [...one.clauses, ...other.clauses], bounds }];
}
