import type { Catalogue } from "../../catalogue/index.js";
import { campaignShelf } from "../../features/campaigns/index.js";
import { codeKey } from "../../features/vouchers/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import type { Candidate, Place } from "./candidate.js";
import { type CodesAsked, type FoundCode, findCodes } from "./codes.store.js";

/** Codes that one qualification looks at, those that are used up or over too; what comes behind them is another page's. */
export const codes_max = 10_000;
const page_max = 2000;

/** Behind nothing. */
const newest: Place = { created_at: Date.parse("9999-12-31T23:59:59.999Z"), id: "" };

export interface CodeSourceAsked extends Pick<CodesAsked, "standalone" | "campaign_ids" | "customer_id"> {
  instant: Instant;
  only: { ids: readonly string[]; codes: readonly string[] } | null;
  behind: Place | null;
}

/** Reads codes that may be candidates, newest first, page by page as they are wanted. */
export class CodeSource {
  private is_over: boolean;
  private looked_at = 0;
  private last: Place;
  private readonly asked: Omit<CodesAsked, "behind" | "limit">;

  constructor(
    private readonly db: Queries,
    private readonly catalogue: Catalogue,
    { behind, only, ...asked }: CodeSourceAsked,
  ) {
    this.last = behind ?? newest;
    this.is_over = !asked.standalone && asked.campaign_ids.length === 0 && asked.customer_id === null;
    const { project } = catalogue;
    this.asked = {
      ...asked,
      only: only && { ids: only.ids, code_keys: only.codes.map((code) => codeKey(project, code)) },
    };
  }

  /** There are no more, or none that this qualification may look at. */
  get is_done(): boolean {
    return this.is_over || this.is_cut;
  }

  /** Where looking had to end; null where there was no more to look at. */
  get cut_at(): Place | null {
    return this.is_over || !this.is_cut ? null : this.last;
  }

  private get is_cut(): boolean {
    return this.looked_at >= codes_max;
  }

  /** The next of them; none where all of a page were closed. */
  async next(wanted: number): Promise<Candidate[]> {
    // What is read and closed costs little beside another round trip.
    const limit = Math.min(Math.max(2 * wanted, this.looked_at), page_max, codes_max - this.looked_at);
    const found = await findCodes(this.db, this.catalogue.project.id, { ...this.asked, behind: this.last, limit });
    this.looked_at += found.length;
    this.last = found.at(-1) ?? this.last;
    this.is_over = found.length < limit;
    return found.filter(({ is_open }) => is_open).map((code) => candidateOf(this.catalogue, code));
  }
}

function candidateOf(catalogue: Catalogue, { id, created_at, ...code }: FoundCode): Candidate {
  const campaign = code.campaign_id === null ? undefined : catalogue.shelf(campaignShelf).get(code.campaign_id);
  return {
    object: "voucher",
    id,
    created_at,
    traits: {
      category_id: code.category_id ?? campaign?.category_id ?? null,
      campaign_id: code.campaign_id,
      campaign_type: campaign?.campaign_type ?? null,
      resource_id: id,
      resource_type: "voucher",
      voucher_type: code.type,
      code: code.code,
      holder_role: code.role,
    },
  };
}
