export type { EarningOperands } from "./operands.js";
export { FORMULA_LIMITS, parseFormula } from "./parser.js";
export type { FormulaProblem } from "./tokens.js";
