import type { Scenario } from "@guerdon/engine";
import type { DecidingRequest } from "../requests/request.js";
import type { Place, Traits } from "./candidate.js";

/** Which candidates are looked at. */
export interface Sources {
  tiers: boolean;
  stacks: boolean;
  /** Campaigns whose codes are given out one by one. */
  campaigns: boolean;
  /** Codes without a campaign. */
  standalone: boolean;
  /** The one code of a campaign that has one. */
  generic: boolean;
  /** What the customer holds. */
  wallet: boolean;
}

/** To begin with: whoever looks at something says so. */
export const no_sources: Sources = {
  tiers: false,
  stacks: false,
  campaigns: false,
  standalone: false,
  generic: false,
  wallet: false,
};

/** What a qualification looks for. */
export interface Qualification {
  /** Who and what is asked about; it names no redeemables. */
  request: DecidingRequest;
  /** Which rules are left out; null: none, as in a validation. */
  scenario: Scenario | null;
  sources: Sources;
  matches(traits: Traits): boolean;
  /** The only codes that can match, where few are asked for; null: any. */
  only: { ids: readonly string[]; codes: readonly string[] } | null;
  /** Only what stands behind this place; null: everything. */
  behind: Place | null;
}
