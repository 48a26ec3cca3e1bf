import { type ActivityWindow, type CampaignFacts, type CompiledWindow, compileWindow } from "@guerdon/engine";
import { type Catalogue, shelf } from "../../catalogue/index.js";
import { type StoredWindow, windowOfStored } from "../../terms/index.js";
import { categoryFacts } from "../categories/index.js";
import { campaignTextsAfter, campaignTextsOfIds } from "./campaign.store.js";

/** A campaign as decisions see it. Its name stands in the answer of every redemption of its vouchers. */
export interface CatalogueCampaign {
  id: string;
  name: string;
  active: boolean;
  category_id: string | null;
  rule_ids: readonly string[];
  /** What its vouchers inherit. */
  activity: ActivityWindow;
  window: CompiledWindow;
}

type Stored = [
  name: string,
  active: boolean,
  category_id: string | null,
  rule_ids: string[] | null,
  ...window: StoredWindow,
];

export const campaignShelf = shelf<Stored, CatalogueCampaign>({
  kind: "campaign",
  page: campaignTextsAfter,
  byIds: campaignTextsOfIds,
  compile(id, [name, active, category_id, rule_ids, ...stored], { time_zone }) {
    const activity = windowOfStored(stored);
    const window = compileWindow(activity, time_zone);
    return { id, name, active, category_id, rule_ids: rule_ids ?? [], activity, window };
  },
});

/** The campaign with its category, as the engine asks for it. */
export const campaignFacts = (
  catalogue: Catalogue,
  { id, active, window, category_id }: CatalogueCampaign,
): CampaignFacts => ({ id, active, window, category: categoryFacts(catalogue, category_id) });

export const shelves = [campaignShelf];
