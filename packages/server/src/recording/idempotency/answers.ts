import type { Queries, Tx } from "../../platform/db/database.js";
import { bodyOfProblem } from "../../platform/http/answer-errors.js";
import { serialise } from "../../platform/http/bodies/long-answers.js";
import { Problem } from "../../platform/http/problems.js";
import type { Seal } from "../../platform/secrets.js";
import type { Deferred } from "../batch.js";
import type { Outcome, RenderEach, Requested } from "../outcome.js";
import { type Answered, keepAnswers, settle } from "./keep.js";
import { isLastWord, type Keyed } from "./keyed.js";

const deferred: Deferred = { deferred: true };

/** What requests that share a transaction are answered, by their places, and what of it is kept. */
export class AnswersOf<Answer, Body> {
  private readonly outcomes: (Outcome<Body> | Deferred)[] = [];
  private readonly others: { place: number; answer: Exclude<Answer, Problem> }[] = [];
  private kept: readonly Answered[] = [];
  private tellCommitted: () => void = () => undefined;

  constructor(
    private readonly tx: Tx,
    private readonly seal: Seal,
    private readonly causes: readonly Requested[],
    private readonly render: RenderEach<Answer, Body>,
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
  async keep(places: readonly number[], done: readonly (Answer | Problem | Deferred)[]): Promise<void> {
    const kept = await Promise.all(
      places.map(async (place, i) => {
        const keyed = this.causes[place]?.keyed;
        const answer = done[i] as Exclude<Answer, Problem> | Problem | Deferred;
        if (isDeferred(answer)) this.outcomes[place] = answer;
        else if (answer instanceof Problem) {
          this.outcomes[place] = { failed: answer };
          if (keyed && isLastWord(answer)) return refused(keyed, answer);
        } else if (!keyed) this.others.push({ place, answer });
        else {
          const body = await this.render(answer, this.tx, place);
          this.outcomes[place] = { body };
          return { keyed, status: keyed.statusOf(), body: serialise(body) };
        }
        return null;
      }),
    );
    this.kept = kept.flatMap((one) => one ?? []);
    await keepAnswers(this.tx, this.seal, this.kept);
  }

  /** Begins with the bodies that are not kept: what must be read for them is read once it is committed. */
  makeOthers(db: Queries): void {
    if (this.others.length === 0) return;
    const committed = new Promise<void>((resolve) => {
      this.tellCommitted = resolve;
    });
    const reading = queriesBehind(committed, db);
    for (const { place, answer } of this.others) {
      const body = (async () => this.render(answer, reading, place))();
      // Nobody asks for it where there is no commit.
      body.catch(() => undefined);
      this.outcomes[place] = { body };
    }
  }

  /** To be asked for once they are committed. */
  all(): (Outcome<Body> | Deferred)[] {
    this.tellCommitted();
    for (const { keyed, body } of this.kept) keyed.kept = body;
    return this.outcomes;
  }
}

function queriesBehind(moment: Promise<void>, { many, one, maybe, run }: Queries): Queries {
  return {
    many: (statement) => moment.then(() => many(statement)),
    one: (statement) => moment.then(() => one(statement)),
    maybe: (statement) => moment.then(() => maybe(statement)),
    run: (statement) => moment.then(() => run(statement)),
  };
}

const isDeferred = (answer: unknown): answer is Deferred =>
  typeof answer === "object" && answer !== null && "deferred" in answer;

const nameOf = ({ side, key }: Keyed) => `${side} ${key}`;

const refused = (keyed: Keyed, problem: Problem): Answered => ({
  keyed,
  status: problem.status,
  body: JSON.stringify(bodyOfProblem(problem, keyed.request_id)),
});
