import type { Queries, Tx } from "../../platform/db/database.js";
import { bodyOfProblem } from "../../platform/http/answer-errors.js";
import { Problem } from "../../platform/http/problems.js";
import type { Seal } from "../../platform/secrets.js";
import type { Deferred } from "../batch.js";
import type { Outcome, Requested } from "../outcome.js";
import { type Answered, keepAnswers, settle } from "./keep.js";
import { isLastWord, type Keyed, textOf } from "./keyed.js";

const deferred: Deferred = { deferred: true };

/** What requests that share a transaction are answered, by their places, and what of it is kept. */
export class AnswersOf<Answer> {
  private readonly outcomes: (Outcome<Answer> | Deferred)[] = [];
  private kept: readonly Answered[] = [];

  constructor(
    private readonly tx: Tx,
    private readonly seal: Seal,
    private readonly causes: readonly Requested[],
  ) {}

  /** The places of those that are to be done: all of them, and nothing is asked for it, where none has a key. */
  async unsettled(): Promise<readonly number[]> {
    const places = [...this.causes.keys()];
    const keyed = this.causes.flatMap((cause) => cause.keyed ?? []);
    if (keyed.length === 0) return places;
    const settled = await settle(this.tx, this.seal, keyed);
    const named = new Set<string>();
    return places.filter((place) => {
      const one = this.causes[place]?.keyed;
      if (!one) return true;
      const failed = settled.get(one);
      if (failed) this.outcomes[place] = { failed };
      // The same key twice: the later one learns what became of the first, when that is committed.
      else if (named.has(nameOf(one))) this.outcomes[place] = deferred;
      named.add(nameOf(one));
      return this.outcomes[place] === undefined;
    });
  }

  /** Takes what was done at the places, in their order; bodies are made where they are kept. */
  async keep(
    places: readonly number[],
    done: readonly (Answer | Problem | Deferred)[],
    render: (answer: Exclude<Answer, Problem>, db: Queries, place: number) => unknown,
  ): Promise<void> {
    const kept = await Promise.all(
      places.map(async (place, i) => {
        const keyed = this.causes[place]?.keyed;
        const answer = done[i] as Exclude<Answer, Problem> | Problem | Deferred;
        if (isDeferred(answer)) this.outcomes[place] = answer;
        else if (answer instanceof Problem) {
          this.outcomes[place] = { failed: answer };
          if (keyed && isLastWord(answer)) return refused(keyed, answer);
        } else if (!keyed) this.outcomes[place] = { answer };
        else {
          const body = await render(answer, this.tx, place);
          this.outcomes[place] = { body };
          return { keyed, status: keyed.statusOf(), body: textOf(body) };
        }
        return null;
      }),
    );
    this.kept = kept.flatMap((one) => one ?? []);
    await keepAnswers(this.tx, this.seal, this.kept);
  }

  all(): [(Outcome<Answer> | Deferred)[], readonly Answered[]] {
    return [this.outcomes, this.kept];
  }
}

const isDeferred = (answer: unknown): answer is Deferred =>
  typeof answer === "object" && answer !== null && "deferred" in answer;

const nameOf = ({ side, key }: Keyed) => `${side} ${key}`;

const refused = (keyed: Keyed, problem: Problem): Answered => ({
  keyed,
  status: problem.status,
  body: JSON.stringify(bodyOfProblem(problem, keyed.request_id)),
});
