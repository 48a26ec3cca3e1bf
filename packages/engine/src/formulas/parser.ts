import type { Formula, FormulaOperands } from "../discounts/formula.contract.js";
import { FUNCTIONS } from "./functions.js";
import { metadataOperand, type Operand, valueOperand } from "./operands.js";
import { arithmetic, compared, type Expression, isComparison, joined, negated } from "./operators.js";
import { switched } from "./switch.js";
import { type FormulaProblem, type Token, tokensOf } from "./tokens.js";
import { bounded, Exact, isNumber } from "./values.js";

/** Bounds that keep a formula of a stranger from costing more than a few milliseconds an order. */
export const FORMULA_LIMITS = { length_max: 4_000, depth_max: 40, work_max: 500 };

/** Parses a formula into closures (discounts.md §10). Nothing of the text is ever executed as code. */
export function parseFormula(text: string): { formula: Formula } | { fault: FormulaProblem } {
  if (text.length > FORMULA_LIMITS.length_max) {
    const problem = `longer than ${FORMULA_LIMITS.length_max} characters`;
    return { fault: { key: "too_long", problem, position: FORMULA_LIMITS.length_max } };
  }
  const read = tokensOf(text);
  if ("fault" in read) return read;
  const parser = new Parser(read.tokens);
  const evaluate = parser.formula();
  if (parser.fault !== null) return { fault: parser.fault };
  const { readsLine: reads_line, readsPublication: reads_publication, work } = parser;
  return { formula: { text, reads_line, reads_publication, evaluate: evaluated(evaluate, work * unit_work) } };
}

/** Work of one number added, in the units of a decision. */
const unit_work = 20;

const evaluated = (evaluate: Expression, work: number) => (operands: FormulaOperands) => {
  operands.work?.spend(work);
  const value = evaluate(operands);
  return isNumber(value) ? value : null;
};

const NOTHING: Expression = () => null;

/** Recursive descent over the grammar of discounts.md §10, one method a line of it. */
class Parser {
  fault: FormulaProblem | null = null;
  readsLine = false;
  readsPublication = false;
  private next = 0;
  private depth = 0;
  work = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  formula(): Expression {
    const expression = this.expression();
    if (this.token.kind !== "end") this.unexpected("the end");
    return expression;
  }

  private expression(): Expression {
    if (this.depth >= FORMULA_LIMITS.depth_max) {
      return this.fail("too_deep", `nested deeper than ${FORMULA_LIMITS.depth_max} levels`);
    }
    this.depth += 1;
    const alternatives = this.series("OR", () => this.conjunction());
    this.depth -= 1;
    return alternatives.length === 1 ? (alternatives[0] as Expression) : joined(true, alternatives);
  }

  private conjunction(): Expression {
    const parts = this.series("AND", () => this.comparison());
    return parts.length === 1 ? (parts[0] as Expression) : joined(false, parts);
  }

  private series(word: string, part: () => Expression): Expression[] {
    const parts = [part()];
    while (this.accept(word)) parts.push(part());
    return parts;
  }

  private comparison(): Expression {
    const left = this.sum();
    const word = this.token;
    if (!this.at(word.text) || !isComparison(word.text)) return left;
    this.advance();
    return compared(word.text, left, this.sum());
  }

  private sum = () => this.chain(["+", "-"], () => this.product());

  private product = () => this.chain(["*", "/", "%"], () => this.unary());

  private chain(symbols: readonly string[], part: () => Expression): Expression {
    let whole = part();
    while (this.token.kind === "symbol" && symbols.includes(this.token.text)) {
      const symbol = this.advance().text;
      whole = arithmetic(symbol, whole, part());
    }
    return whole;
  }

  private unary(): Expression {
    return this.accept("-") ? negated(this.atom()) : this.atom();
  }

  private atom(): Expression {
    this.spend(1);
    const token = this.token;
    if (this.accept("(")) return this.closed(this.expression());
    if (token.kind === "number" || token.kind === "text") {
      this.advance();
      const value = token.kind === "number" ? bounded(new Exact(token.text)) : token.text;
      return () => value;
    }
    return token.kind === "name" ? this.named() : this.unexpected("a value");
  }

  private named(): Expression {
    const name = this.advance();
    if (name.text === "SWITCH") return this.switch();
    if (Object.hasOwn(FUNCTIONS, name.text)) return this.call(name);
    const metadata = metadataOperand(name.text);
    if (metadata !== undefined) {
      this.note(metadata);
      this.expect("(");
      return this.closed(metadata.read(this.expression()));
    }
    const operand = valueOperand(name.text);
    if (operand === undefined) return this.fail("unknown_name", `unknown name '${name.text}'`, name);
    this.note(operand);
    return operand.read;
  }

  private call(name: Token): Expression {
    const definition = FUNCTIONS[name.text];
    if (definition === undefined) return NOTHING;
    this.spend(definition.cost);
    this.expect("(");
    const parts = [this.expression()];
    while (this.accept(";")) parts.push(this.expression());
    this.expect(")");
    if (parts.length >= definition.arguments_min && parts.length <= definition.arguments_max) {
      return definition.call(parts);
    }
    return this.fail("wrong_argument_count", `wrong number of arguments for ${name.text}`, name);
  }

  private switch(): Expression {
    this.expect("(");
    const subject = this.expression();
    this.expect(";");
    const cases: { when: Expression; result: Expression }[] = [];
    do {
      this.expect("SWITCH_CASE");
      this.expect("(");
      const when = this.expression();
      this.expect(";");
      cases.push({ when, result: this.closed(this.expression()) });
      this.accept(";");
    } while (this.at("SWITCH_CASE"));
    return this.closed(switched(subject, cases, this.expression()));
  }

  private closed(expression: Expression): Expression {
    this.expect(")");
    return expression;
  }

  private note({ cost, reads_line, reads_publication }: Operand) {
    this.spend(cost);
    if (reads_line) this.readsLine = true;
    if (reads_publication) this.readsPublication = true;
  }

  private spend(cost: number) {
    this.work += cost;
    if (this.work > FORMULA_LIMITS.work_max) this.fail("too_much_work", "more work than a formula may cause");
  }

  private get token(): Token {
    return this.tokens[this.next] as Token;
  }

  private advance(): Token {
    const token = this.token;
    if (token.kind !== "end") this.next += 1;
    return token;
  }

  // A text in quotes may well read "AND" and is no operator.
  private at(text: string): boolean {
    return (this.token.kind === "symbol" || this.token.kind === "name") && this.token.text === text;
  }

  private accept(text: string): boolean {
    const found = this.at(text);
    if (found) this.advance();
    return found;
  }

  private expect(text: string) {
    if (!this.accept(text)) this.unexpected(`'${text}'`);
  }

  private unexpected(wanted: string): Expression {
    const { kind, text } = this.token;
    if (kind === "end") return this.fail("unexpected_end", `the formula ends where ${wanted} should be`);
    return this.fail("unexpected_token", `'${text}' where ${wanted} should be`);
  }

  // The first fault counts. Going to the end at once keeps every loop above from reading on.
  private fail(key: FormulaProblem["key"], problem: string, at: Token = this.token): Expression {
    this.fault ??= { key, problem, position: at.position };
    this.next = this.tokens.length - 1;
    return NOTHING;
  }
}
