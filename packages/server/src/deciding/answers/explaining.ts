import { setTimeout as pause } from "node:timers/promises";
import type { Decision, DecisionFacts, Inapplicable } from "@guerdon/engine";
import { type ExplainedRefusal, kept_chars_max, type RefusalLog } from "../../features/validation-log/index.js";
import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import type { Turns } from "../../platform/sharing/turns.js";
import { refusalBody } from "../../terms/index.js";
import { decideOn, workOf } from "../decide-request.js";
import { factsOf } from "../facts-of.js";
import type { DecidingRequest } from "../requests/request.js";
import type { SharedFacts } from "../shared-facts.js";
import { explanationView } from "./explanation-view.js";

/** Explains refusals once they are answered (ADR 75). */
export interface Explaining {
  /** Takes note of what is refused, or leaves it out where too much waits; never throws and never waits. */
  add(
    shared: SharedFacts,
    request: DecidingRequest,
    decision: Decision,
    asked_for: ExplainedRefusal["asked_for"],
  ): void;
  /** Explains and writes what waits. */
  flush(): Promise<void>;
}

/** Each may hold some megabytes of compiled rules. */
const waiting_max = 16;
/** So that whoever is refused without end leaves room for others. */
const waiting_of_project_max = 8;
/** Nobody waits for a story: telling them takes a fifth of the time at most. */
const rest_factor = 4;
const sentences_max = 20;
const sentence_length_max = 300;

interface Waiting {
  request: DecidingRequest;
  customer_id: string | null;
  decision: Decision;
  facts: DecisionFacts;
  asked_for: ExplainedRefusal["asked_for"];
}

/**
 * The facts are taken when they are decided on, since a batch changes what it shares; the decision is made again, with explanation,
 * behind whoever waits for an answer, and rests in between. What waits is little, and what finds no room is left out.
 */
export function createExplaining({ turns, log }: Pick<Context, "turns" | "log">, refusals: RefusalLog): Explaining {
  const waiting: Waiting[] = [];
  let left_out = 0;
  let draining: Promise<void> | undefined;
  let is_ending = false;

  const hasRoom = (project_id: string) =>
    waiting.length < waiting_max &&
    waiting.filter(({ request }) => request.call.project_id === project_id).length < waiting_of_project_max;

  async function drain(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { project_id } = next.request.call;
      await turns.next(project_id);
      const begun = performance.now();
      try {
        for (const row of await rowsOf(turns, next)) refusals.add(row);
      } catch (err) {
        log.warn({ project_id, request_id: next.request.call.request_id, err }, "a refusal could not be explained");
      }
      if (!is_ending) await pause(rest_factor * (performance.now() - begun));
    }
    if (left_out > 0) log.warn({ left_out }, "too much was refused to be explained");
    left_out = 0;
    draining = undefined;
  }

  return {
    add(shared, request, decision, asked_for) {
      if (!decision.outcomes.some(({ status }) => status === "INAPPLICABLE")) return;
      if (!hasRoom(request.call.project_id)) {
        left_out += 1;
        return;
      }
      const facts = factsOf(shared, request, workOf(turns));
      waiting.push({ request, facts, decision, asked_for, customer_id: shared.customer(request.customer)?.id ?? null });
      if (draining === undefined) draining = drain();
    },
    async flush() {
      is_ending = true;
      while (draining !== undefined) await draining;
      is_ending = false;
      await refusals.flush();
    },
  };
}

/** Decides once more, with explanation. */
async function rowsOf(
  turns: Turns,
  { request, facts, decision, customer_id, asked_for }: Waiting,
): Promise<ExplainedRefusal[]> {
  const { call, order } = request;
  const again = await decideOn(turns, request, () => facts, { explain: true });
  return decision.outcomes.flatMap((outcome, i) => {
    if (outcome.status !== "INAPPLICABLE") return [];
    const explained = again.outcomes[i];
    const { key, message } = refusalBody(outcome.refusal);
    const is_same = explained?.status === "INAPPLICABLE" && explained.refusal.key === outcome.refusal.key;
    return {
      ...namesOf(outcome),
      ...{
        project_id: call.project_id,
        id: newId("rfx"),
        asked_for,
        customer_id,
        key,
        message: message.slice(0, 1_000),
      },
      ...{ group_id: call.request_id, event_source: call.event_source, created_at: call.instant },
      explanation: is_same ? keptOf(explained) : null,
      order: order && orderKept(order),
    };
  });
}

function namesOf({ redeemable }: Inapplicable): Pick<ExplainedRefusal, "object" | "object_id" | "name"> {
  const { object } = redeemable;
  if ("not_found" in redeemable) return { object, object_id: null, name: redeemable.id };
  return { object, object_id: redeemable.id, name: "code" in redeemable ? redeemable.code : redeemable.id };
}

/** Of a rule as large as a rule may be the sentences stay. */
function keptOf(outcome: Inapplicable): object | null {
  const { explanation } = explanationView(outcome);
  if (!explanation || JSON.stringify(explanation).length <= kept_chars_max) return explanation ?? null;
  const summary = explanation.summary.slice(0, sentences_max).map((sentence) => sentence.slice(0, sentence_length_max));
  return { summary, checks: [], lines: [], amounts: [] };
}

/** Who it is for is known by id, and forgotten with them. */
function orderKept({ customer: _customer, referrer: _referrer, ...order }: NonNullable<DecidingRequest["order"]>) {
  return JSON.stringify(order).length <= kept_chars_max ? order : null;
}
