import {
  type Applicable,
  type Decision,
  type DecisionFacts,
  decideOneByOne,
  type RedeemableFacts,
  type Scenario,
  TooMuchWork,
  Work,
} from "@guerdon/engine";
import type { Catalogue } from "../../catalogue/index.js";
import { campaignShelf } from "../../features/campaigns/index.js";
import type { Turns } from "../../platform/sharing/turns.js";
import { withHistories } from "../counting/histories.js";
import { inTurns, refusingTooHeavy } from "../decide-request.js";
import type { Deciding } from "../deciding.js";
import { factsOn } from "../facts-of.js";
import { readCandidates, readCounted } from "../gather.js";
import { keepVoucher } from "../kinds/index.js";
import type { DecidingRequest } from "../requests/request.js";
import type { RedeemableInput } from "../requests/request.schemas.js";
import type { SharedFacts } from "../shared-facts.js";
import type { Qualification } from "./asked.js";
import type { Candidate } from "./candidate.js";
import { nextCode } from "./next-code.js";
import { type Asked, sharedOn } from "./situation.js";

/** A candidate that qualifies, with what it would do alone. */
export interface Qualified {
  candidate: Candidate;
  /** Several only of a stack, whose tiers they are. */
  outcomes: readonly Applicable[];
  decision: Decision;
  /** What its batch has read. */
  shared: SharedFacts;
  request: DecidingRequest;
}

/** Stretches that all candidates of a qualification may take together: 100 to 200 ms of the thread, others in between. */
const stretches_max = 20;
/** What a candidate costs before it is decided. */
const work_of_facts = 100;

/** Counts the work of one qualification. */
export const qualifyingWork = ({ stretch_max }: Turns): Work =>
  new Work({ turn_max: stretch_max, decision_max: stretches_max * stretch_max });

/** Decides about batches of candidates of one qualification, each candidate alone. */
export class Scales {
  /** All work that the qualification may take is done. */
  is_exhausted = false;

  constructor(
    private readonly deciding: Deciding,
    private readonly catalogue: Catalogue,
    private readonly asked: Asked,
    private readonly qualification: Qualification,
    private readonly work: Work,
  ) {}

  /** Those that qualify, in the order of the candidates. Ends before its time where no work is left. */
  async *weigh(
    candidates: readonly Candidate[],
  ): AsyncGenerator<{ candidate: Candidate; qualified: Qualified | null }> {
    const { context, catalogues } = this.deciding;
    const { turns } = context;
    const { project_id } = this.qualification.request.call;
    const claim = catalogues.claim();
    try {
      const { shared, request, facts } = await this.read(this.catalogue.claimedBy(claim), candidates);
      if (turns.took(project_id, this.work.endTurn() + work_of_facts * candidates.length)) await turns.next(project_id);
      const { decide } = decideOneByOne(facts, request.call.instant);
      for (const [i, candidate] of candidates.entries()) {
        const about = facts.redeemables[i] as RedeemableFacts;
        const decision = isUsedUp(about) ? null : await this.decided(decide(about));
        if (this.is_exhausted) return;
        const outcomes = decision ? qualifying(decision, this.qualification.scenario) : null;
        const qualified = decision && outcomes && { candidate, outcomes, decision, shared, request };
        yield { candidate, qualified: qualified || null };
      }
    } finally {
      claim.release();
    }
  }

  /** Null: it alone takes more than a decision may, so that no validation of it would be answered either. */
  private async decided(deciding: Generator<number, Decision, void>): Promise<Decision | null> {
    const { turns } = this.deciding.context;
    const { project_id } = this.qualification.request.call;
    try {
      return await inTurns(turns, project_id, deciding);
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      this.is_exhausted = error.units_max > turns.stretch_max;
      if (turns.took(project_id, this.work.endTurn())) await turns.next(project_id);
      return null;
    }
  }

  private async read(
    catalogue: Catalogue,
    candidates: readonly Candidate[],
  ): Promise<{ shared: SharedFacts; request: DecidingRequest; facts: DecisionFacts }> {
    const { scenario, request: about } = this.qualification;
    const { project_id } = about.call;
    const db = this.deciding.context.db.of(project_id);
    const request = { ...about, redeemables: candidates.map(namedAs) };
    const stored = { ...about, redeemables: candidates.filter(({ object }) => object !== "campaign").map(namedAs) };
    const shared = await withHistories(this.deciding.context.db, project_id, async () => {
      const shared = sharedOn(catalogue, this.asked.shared, about);
      await readCandidates(db, shared, [stored]);
      for (const { object, id } of candidates) {
        const campaign = object === "campaign" ? catalogue.shelf(campaignShelf).get(id) : undefined;
        const code = campaign && nextCode(campaign);
        if (code) keepVoucher(shared, code);
      }
      await readCounted(db, shared, [request]);
      return shared;
    });
    return refusingTooHeavy(async () => {
      const facts = factsOn(shared, request, this.asked.order, this.work);
      return { shared, request, facts: { ...facts, scenario, stacking_rules: rulesIn(scenario, facts) } };
    });
  }
}

/** A gift card that is spent is validated with nothing, and offered to nobody. One of points will have new ones, and is. */
const isUsedUp = (about: RedeemableFacts) => "gift" in about && about.gift !== null && about.gift.balance <= 0;

const namedAs = ({ object, id }: Candidate): RedeemableInput => ({
  object: object === "campaign" ? "voucher" : object,
  id,
});

const complete: ReadonlySet<Scenario> = new Set<Scenario>(["ALL", "CUSTOMER_WALLET", "PROMOTION_STACKS"]);

/** Scenarios that show what is not complete yet show what has no effect yet (redemption.md §13.2). */
const rulesIn = (scenario: Scenario | null, { stacking_rules }: DecisionFacts): DecisionFacts["stacking_rules"] =>
  scenario === null || complete.has(scenario)
    ? stacking_rules
    : { ...stacking_rules, redeemables_no_effect_rule: "REDEEM_ANYWAY", no_effect_skip_categories: [] };

const discounted_alone: ReadonlySet<Scenario> = new Set<Scenario>([
  "PRODUCTS_DISCOUNT",
  "PRODUCTS_DISCOUNT_BY_CUSTOMER",
]);

/** What applies of it, where it qualifies: a redemption of it alone would be granted, as far as the scenario looks. */
function qualifying({ valid, outcomes }: Decision, scenario: Scenario | null): Applicable[] | null {
  if (!valid) return null;
  const applicable = outcomes.filter((outcome) => outcome.status === "APPLICABLE");
  const is_tied = applicable.some(({ tie }) => tie === undefined || tie === "discounted" || isWanted(tie, scenario));
  return is_tied ? applicable : null;
}

const isWanted = (tie: Applicable["tie"], scenario: Scenario | null) =>
  tie === "wanted" && (scenario === null || !discounted_alone.has(scenario));
