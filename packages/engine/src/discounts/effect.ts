import type { OrderLine, ProductFacts, RunningOrder, SkuFacts } from "../orders/order.js";
import type { ApplicableTo } from "../rules/contract.js";
import type { Work } from "../work.js";
import type { FormulaOperands } from "./formula.contract.js";
import type { SelectedLine, SelectionOptions } from "./selection.js";
import type { Trace } from "./trace.js";

/** What a UNIT discount gives away, as the catalogue knows it. */
export interface UnitObject {
  readonly product: ProductFacts | null;
  /** Set when the unit is a SKU. */
  readonly sku: SkuFacts | null;
}

/** Everything a discount may look at while it is computed on an order. */
export interface EffectContext {
  /** As the redeemables before have left it. */
  readonly order: RunningOrder;
  readonly applicable_to: ApplicableTo;
  /** Complete bundles; 1 without a bundle rule, so that multiplying is always right (discounts.md §9). */
  readonly bundles: number;
  /** Percentages and new prices are taken of the amounts before any discount (discounts.md §8.3). */
  readonly on_initial_amount: boolean;
  /** Lines that products mode ONCE leaves out. */
  readonly taken_lines: ReadonlySet<number>;
  /** By `unit_type`. */
  readonly unit_objects: ReadonlyMap<string, UnitObject>;
  readonly selection: Pick<SelectionOptions, "in_collection"> & {
    readonly budgetLeft: NonNullable<SelectionOptions["budgetLeft"]>;
  };
  operands(line: OrderLine | null): FormulaOperands;
  readonly trace: Trace;
  readonly work?: Work;
}

export type { SelectedLine };
