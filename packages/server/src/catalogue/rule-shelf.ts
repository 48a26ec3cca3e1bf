import { type CompiledRule, compileRule, type RuleSource } from "@guerdon/engine";

/** Keeps the rules that were met lately compiled, over all projects. */
export class RuleShelf {
  private readonly compiled = new Set<ShelvedRule>();

  /** @param compiled_max one takes about 2 KB, seven times its text: a million of them would take the memory */
  constructor(private readonly compiled_max: number) {}

  /** @param text the JSON of a rule as stored, its id among it */
  place(text: string): ShelvedRule {
    return new ShelvedRule(text, this);
  }

  keep(rule: ShelvedRule): void {
    this.compiled.add(rule);
    if (this.compiled.size <= this.compiled_max) return;
    const [oldest] = this.compiled;
    if (!oldest) return;
    this.compiled.delete(oldest);
    oldest.forget();
  }
}

/** A validation rule as text, compiled when it is first met. */
export class ShelvedRule {
  private rule: CompiledRule | undefined;

  constructor(
    private readonly text: string,
    private readonly shelf: RuleShelf,
  ) {}

  compiled(): CompiledRule {
    if (this.rule === undefined) {
      this.rule = compiledOrNever(JSON.parse(this.text));
      this.shelf.keep(this);
    }
    return this.rule;
  }

  forget(): void {
    this.rule = undefined;
  }
}

/** What stands in for a rule that does not compile, which only another version can have stored: it never holds. */
const never = { rules: { "1": { name: "order.initial_amount", conditions: { $less_than: [-1] } }, logic: "1" } };

function compiledOrNever(source: RuleSource): CompiledRule {
  for (const one of [source, { ...never, id: source.id }]) {
    const compiled = compileRule(one);
    if ("rule" in compiled) return compiled.rule;
  }
  throw new Error("the rule that never holds compiles");
}
