import { Decimal } from "decimal.js";

/**
 * An exact non-negative fraction. Discounts are computed on these and never on binary floats
 * (discounts.md §1.4): 0.145 × 1000 must be 145, and 2^53 − 1 must survive a percentage.
 */
export interface Ratio {
  readonly num: bigint;
  /** Above zero. */
  readonly den: bigint;
}

export const ZERO: Ratio = { num: 0n, den: 1n };

/** The fraction a decimal stands for; what is negative or not a number becomes zero. */
export function ratioOf(decimal: number | string | Decimal): Ratio {
  const value = new Decimal(decimal);
  if (!value.isFinite() || value.isNegative()) return ZERO;
  const [whole = "0", fraction = ""] = value.toFixed().split(".");
  return { num: BigInt(whole + fraction), den: 10n ** BigInt(fraction.length) };
}

export const times = (a: Ratio, b: Ratio): Ratio => ({ num: a.num * b.num, den: a.den * b.den });

export const isZero = (ratio: Ratio) => ratio.num === 0n;

const BIGGEST = BigInt(Number.MAX_SAFE_INTEGER);

// Whatever is beyond 2^53 − 1 is cut there: a discount is capped by an order total, which never is.
const toNumber = (value: bigint) => Number(value > BIGGEST ? BIGGEST : value);

/** Nearest integer; exact halves go up. */
export const rounded = ({ num, den }: Ratio) => toNumber((2n * num + den) / (2n * den));

export const floored = ({ num, den }: Ratio) => toNumber(num / den);

export const raised = ({ num, den }: Ratio) => toNumber((num + den - 1n) / den);

/** A fraction of one as a percentage, to be shown: 3/20 is 15. Not for computing. */
export const percentage = ({ num, den }: Ratio) => (100 * Number(num)) / Number(den);

/** As a number, to be shown. Not for computing. */
export const decimalOf = ({ num, den }: Ratio) => Number(num) / Number(den);

/** As a decimal number with at most six places, to be shown. */
export const decimalText = ({ num, den }: Ratio) =>
  new Decimal(num.toString()).div(den.toString()).toDecimalPlaces(6).toFixed();

/** `amount × part ÷ whole × rate`, rounded half up once. All integers are non-negative, `whole` is above zero. */
export function roundedPart(amount: number, part: number, whole: number, rate?: Ratio): number {
  if (rate === undefined) {
    const product = amount * part;
    if (Number.isSafeInteger(2 * product + whole)) return quotient(2 * product + whole, 2 * whole);
  }
  return rounded(partOf(amount, part, whole, rate));
}

/** `amount × part ÷ whole`, rounded down. */
export function flooredPart(amount: number, part: number, whole: number): number {
  const product = amount * part;
  return Number.isSafeInteger(product) ? quotient(product, whole) : floored(partOf(amount, part, whole));
}

/** The exact fraction `amount × part ÷ whole × rate`. */
export function partOf(amount: number, part: number, whole: number, rate?: Ratio): Ratio {
  const ratio = { num: BigInt(amount) * BigInt(part), den: BigInt(whole) };
  return rate === undefined ? ratio : times(ratio, rate);
}

/** What `amount × part ÷ whole` is above a price for each of `part` units; zero where it is below. */
export function partAbove(price: Ratio, amount: number, part: number, whole: number): Ratio {
  const num = BigInt(part) * (BigInt(amount) * price.den - BigInt(whole) * price.num);
  return num > 0n ? { num, den: BigInt(whole) * price.den } : ZERO;
}

/** The same, rounded half up once. Prices are whole numbers but for the few that were stored with a fraction. */
export const roundedAbove = (price: Ratio, amount: number, part: number, whole: number): number =>
  price.den === 1n
    ? Math.max(0, roundedPart(amount, part, whole) - toNumber(price.num) * part)
    : rounded(partAbove(price, amount, part, whole));

// Subtracting the remainder first keeps the division exact; a plain floor(a / b) may round up to the next integer.
const quotient = (a: number, b: number) => (a - (a % b)) / b;
