/** How much one decision may do. A unit is about 50 ns on one slow core: one comparison with what is around it. */
export interface WorkLimits {
  /** Of one redeemable: what is done in one stretch. */
  readonly turn_max: number;
  /** Of all that a request asks about. */
  readonly decision_max: number;
}

/** What was at hand when a decision became too much. */
export interface WorkedOn {
  /** A redeemable, a validation rule, a segment or the order. */
  readonly object: string;
  readonly id: string;
}

/** A decision that would take more than it may. Thrown from deep inside of rules and formulas; nobody in the engine catches it. */
export class TooMuchWork extends Error {
  constructor(
    readonly on: WorkedOn,
    /** Units that it had taken, with the step that was one too many. */
    readonly units: number,
    readonly units_max: number,
  ) {
    super(`${on.object} ${on.id} takes ${units} units of work, ${units_max} at most`);
  }
}

/**
 * Counts what a decision does while it does it. What a rule costs depends on the request in ways that no bound made
 * beforehand meets: the same hundred operands are nothing against a colour and seconds against an essay, and most of an
 * expression is never asked. Whoever loops over what a caller made as long as it is tells so here, before the loop.
 */
export class Work {
  private turn = 0;
  private before = 0;
  private most: number;
  on: WorkedOn = { object: "order", id: "" };

  constructor(private readonly limits: WorkLimits) {
    this.most = Math.min(limits.turn_max, limits.decision_max);
  }

  /** Throws {@link TooMuchWork} when it is more than is left. */
  spend(units: number): void {
    this.turn += units;
    if (this.turn > this.most) throw new TooMuchWork(this.on, Math.ceil(this.before + this.turn), this.bound());
  }

  /** Ends a stretch; answers what was done in it. */
  endTurn(): number {
    const { turn } = this;
    this.before += turn;
    this.turn = 0;
    this.most = Math.min(this.limits.turn_max, this.limits.decision_max - this.before);
    return turn;
  }

  private bound(): number {
    const { turn_max, decision_max } = this.limits;
    return this.turn > turn_max ? turn_max : decision_max;
  }
}

/** Characters that are searched or compared in a unit of work. */
const unit_characters = 16;

/** The work of looking through a text. */
export const workOfText = (text: string) => 1 + text.length / unit_characters;
