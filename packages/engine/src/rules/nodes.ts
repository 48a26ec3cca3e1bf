import type { OrderLine } from "../orders/order.js";
import type { ItemRef, RuleCategory, RuleContext, Scenario } from "./contract.js";
import type { Logic } from "./logic.js";
import type { Condition } from "./operators.js";

/** Why a leaf has no value to compare (rules.md §5). */
export class Absence {
  constructor(readonly reason: "missing_customer" | "missing_order" | "missing_amount" | "undecided") {}
}

export const NO_CUSTOMER = new Absence("missing_customer");
export const NO_ORDER = new Absence("missing_order");
export const NO_AMOUNT = new Absence("missing_amount");
/** The discount is not computed yet; until then the leaf counts as holding. */
export const UNDECIDED = new Absence("undecided");

/** The lines an item rule has matched, for the rules nested in it (rules.md §6.3). */
export interface ItemScope {
  /** Shared by the scopes of all lines that one rule matched; null where there is a single scope. */
  readonly settled: Settled | null;
  readonly lines: readonly OrderLine[];
  /** True: a sub-rule about single lines must hold for each of them; false: for one. */
  readonly every: boolean;
  /** The one line at hand while `any` looks for a line that satisfies the whole nested expression. */
  readonly line: OrderLine | null;
}

/** What a leaf says by itself, nested rules apart. An {@link Absence} counts as false, an undecided one as true. */
export type Verdict = boolean | Absence;

export interface Failure {
  readonly leaf: Leaf;
  readonly verdict: Verdict;
}

/**
 * What leaves that look at no single line have come to. They are asked once and not for every line anew:
 * item rules nested in item rules would otherwise cost the number of lines to the power of their depth.
 */
export interface Settled {
  readonly holds: Map<Leaf, boolean>;
  /** Null: it holds. */
  readonly failures: Map<Leaf, Failure[] | null>;
}

/** Readers are shared by all leaves of a name, so that the property comes as an argument; "" when there is none. */
export type ValueReader = (context: RuleContext, scope: ItemScope | null, property: string) => unknown;

/** The value of one line; `lines` are those matched with it. */
export type LineReader = (line: OrderLine, lines: readonly OrderLine[], property: string) => unknown;

/** Lines an item rule matches, and whether that satisfies it, nested rules apart. */
export interface Match {
  readonly lines: readonly OrderLine[];
  readonly holds: boolean;
}

/** What a leaf looks at. */
export type Look =
  | { readonly kind: "value"; readonly read: ValueReader }
  /** Some or every line of the order, by the rule's own name. */
  | { readonly kind: "lines"; readonly every: boolean; readonly read: LineReader }
  /** Lines matched by the rule around it. */
  | { readonly kind: "matched_lines"; readonly read: LineReader }
  /** Matches lines itself; `every` is how it hands them to nested rules, null when it ignores those. */
  | {
      readonly kind: "items";
      readonly every: boolean | null;
      /** What it names: products, SKUs and collections. */
      readonly items: readonly ItemRef[];
      match(context: RuleContext): Match | Absence;
    }
  /** Only says which lines are discounted, or how its parent is to be read: never fails. */
  | { readonly kind: "mark" };

export type Expression = Logic<Leaf>;

/** One name of the catalogue (rules.md §3), as far as judging goes. */
export interface LeafName {
  readonly name: string;
  /** Of the refusal when a leaf fails; null when it cannot. */
  readonly category: RuleCategory | null;
  /** Qualifications that take such leaves as true without looking (rules.md §12). */
  readonly omitted_in: ReadonlySet<Scenario>;
}

/**
 * A leaf of a rule tree, compiled (rules.md §2). A catalogue holds millions: what leaves of a name have in
 * common is shared, and nothing is a closure that need not be one.
 */
export interface Leaf {
  /** `1`, nested `1.2`. */
  readonly path: string;
  readonly rule: LeafName;
  readonly property: string | null;
  readonly look: Look;
  readonly conditions: readonly Condition[];
  /** The leaf's own text, or its nearest ancestor's, or that of the whole rule. */
  readonly message: string | null;
  readonly nested: Nested | null;
}

export interface Nested {
  readonly logic: string;
  readonly expression: Expression;
  /** Some leaf inside looks at single matched lines. */
  readonly reads_lines: boolean;
  /** Operands compared at most, those of a leaf as often as logic names it. */
  readonly comparisons: number;
}

/** Single matched lines are looked at by a leaf itself or, through rules that match nothing themselves, further in. */
export function readsLines({ look, nested }: Leaf): boolean {
  if (look.kind === "matched_lines") return true;
  return look.kind !== "items" && nested !== null && nested.reads_lines;
}
