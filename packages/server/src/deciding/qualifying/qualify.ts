import type { RunningOrder, Work } from "@guerdon/engine";
import type { Catalogue } from "../../catalogue/index.js";
import type { Customer } from "../../features/customers/index.js";
import type { Order } from "../../features/orders/index.js";
import type { Instant } from "../../platform/clock.js";
import { refusingTooHeavy } from "../decide-request.js";
import type { Deciding } from "../deciding.js";
import { type Catalogued, promotionCandidates } from "../promotion-candidates.js";
import type { Qualification, Sources } from "./asked.js";
import type { Candidate } from "./candidate.js";
import { catalogued_max, cataloguedCandidates, hasOneCode } from "./catalogued.js";
import { CodeSource, type CodeSourceAsked } from "./codes.js";
import { newestFirst } from "./newest-first.js";
import { readAsked } from "./situation.js";
import { type Qualified, qualifyingWork, Scales } from "./weigh.js";

/** One qualification under way: who and what it is about is read, and candidates are looked at as they are wanted. */
export interface Qualifying {
  catalogue: Catalogue;
  /** The order as it came; null where none was sent. */
  order: RunningOrder | null;
  stored: Order | null;
  customer: Customer | undefined;
  /**
   * Those that qualify, newest first, as many as are wanted. What it returns is null once nothing is left to look at;
   * otherwise no more may be looked at, and it is when the last was made that was.
   * @param first_batch candidates that are looked at together at first
   */
  newestFirst(first_batch: number, options: { ends_with_codes: boolean }): AsyncGenerator<Qualified, Instant | null>;
  /** The same candidates again, in their order. */
  again(candidates: readonly Candidate[]): Promise<Qualified[]>;
}

/** Reads what every qualification begins with. Nothing is recorded, and nothing is held between two batches. */
export async function openQualification(deciding: Deciding, qualification: Qualification): Promise<Qualifying> {
  const { context, catalogues } = deciding;
  const { request, scenario, sources, matches } = qualification;
  const { project_id, version } = request.call;
  const db = context.db.of(project_id);
  const { turns } = context;
  const work = qualifyingWork(turns);
  const claim = catalogues.claim();
  const { asked, catalogue, ...found } = await refusingTooHeavy(async () => {
    const read_in = await catalogues.at(db, project_id, version);
    const asked = await readAsked(db, read_in, claim, request, work).finally(claim.release);
    if (turns.took(project_id, work.endTurn())) await turns.next(project_id);
    const looking = { catalogues, db, turns, work };
    const at = { project_id, version };
    const found = await promotionCandidates(looking, at, asked.situation, scenario ?? "ALL", wantedOf(sources));
    return { asked, ...found };
  });
  const customer = asked.shared.customer(request.customer);
  const scales = (work: Work) => new Scales(deciding, catalogue, asked, qualification, work);

  return {
    catalogue,
    order: asked.situation.order,
    stored: asked.shared.order(request.order) ?? null,
    customer,
    async *newestFirst(first_batch, { ends_with_codes }) {
      const catalogued = await cataloguedCandidates(turns, catalogue, found, qualification);
      const codes = new CodeSource(db, catalogue, codesAsked(qualification, catalogue, found, customer?.id ?? null));
      const weighing = scales(work);
      for await (const batch of newestFirst(catalogued, codes, first_batch, ends_with_codes)) {
        let last = batch[0]?.created_at ?? null;
        const matching = batch.filter(({ traits }) => matches(traits));
        if (matching.length === 0) continue;
        for await (const { candidate, qualified } of weighing.weigh(matching)) {
          last = candidate.created_at;
          if (qualified) yield qualified;
        }
        if (weighing.is_exhausted) return last;
      }
      return codes.cut_at?.created_at ?? null;
    },
    async again(candidates) {
      const qualified: Qualified[] = [];
      const weighed = scales(qualifyingWork(turns)).weigh(candidates);
      for await (const one of weighed) if (one.qualified) qualified.push(one.qualified);
      return qualified;
    },
  };
}

function wantedOf({ tiers, stacks, campaigns, generic }: Sources): Catalogued[] {
  const wanted: Catalogued[] = [];
  if (tiers) wanted.push("tier_ids");
  if (stacks) wanted.push("stack_ids");
  if (campaigns || generic) wanted.push("campaign_ids");
  return wanted;
}

/** Which codes to read: of the campaigns that may apply, those that have one code alone. */
function codesAsked(
  { sources, only, behind, request }: Qualification,
  catalogue: Catalogue,
  { campaign_ids = [] }: Partial<Record<Catalogued, string[]>>,
  customer_id: string | null,
): CodeSourceAsked {
  const { standalone, generic, wallet } = sources;
  const of_one_code = generic ? campaign_ids.filter((id) => hasOneCode(catalogue, id)).slice(0, catalogued_max) : [];
  return {
    standalone,
    campaign_ids: of_one_code,
    customer_id: wallet ? customer_id : null,
    only,
    behind,
    instant: request.call.instant,
  };
}
