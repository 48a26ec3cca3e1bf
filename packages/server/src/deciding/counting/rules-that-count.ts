import type { Instant } from "../../platform/clock.js";
import { ruledBy, singlesOf } from "../candidates.js";
import type { DecidingRequest } from "../requests/request.js";
import type { SharedFacts } from "../shared-facts.js";
import { counts } from "./counters.js";

/** Of a project that lives by more of them each statement would be told too much. */
const rules_max = 64;
/** Who has not been met for so long makes room. */
const unmet_ms_max = 600_000;
const projects_max = 1_000;

/**
 * The rules that redemptions have met of those that count: who locks by name says which they are, since the key of a campaign is held alone
 * where one of its rules counts. Kept of what was met, since no rule is compiled before it is asked for; who meets a new one
 * begins anew.
 */
export class RulesThatCount {
  /** When each was met last. */
  private readonly of_projects = new Map<string, Map<string, Instant>>();

  /** Their ids; null where they are too many. */
  metIn(project_id: string): readonly string[] | null {
    const met = this.of_projects.get(project_id);
    if (!met) return [];
    return met.size > rules_max ? null : [...met.keys()];
  }

  /** Looks at the rules of what was asked for, as they are by now. */
  meet(shared: SharedFacts, requests: readonly DecidingRequest[]): void {
    for (const request of requests)
      for (const redeemable of singlesOf(shared, request))
        for (const rule of ruledBy(shared, redeemable)?.rules ?? [])
          if (counts(rule)) this.add(rule.id, request);
          else this.of_projects.get(request.call.project_id)?.delete(rule.id);
  }

  private add(rule_id: string, { call: { project_id, instant } }: DecidingRequest): void {
    const met = this.metBy(project_id);
    // One more than may be told stands for all the others.
    if (met.size > rules_max) for (const [id, at] of met) if (at < instant - unmet_ms_max) met.delete(id);
    if (met.size > rules_max && !met.has(rule_id)) return;
    met.set(rule_id, instant);
  }

  private metBy(project_id: string): Map<string, Instant> {
    const known = this.of_projects.get(project_id);
    if (known) return known;
    if (this.of_projects.size >= projects_max) this.of_projects.clear();
    const made = new Map<string, Instant>();
    this.of_projects.set(project_id, made);
    return made;
  }
}
