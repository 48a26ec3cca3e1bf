import { type ActivityWindow, type CampaignFacts, type CompiledWindow, compileWindow } from "@guerdon/engine";
import { type Catalogue, shelf } from "../../catalogue/index.js";
import type { Instant } from "../../platform/clock.js";
import { type StoredWindow, windowOfStored } from "../../terms/index.js";
import { categoryFacts } from "../categories/index.js";
import type { VoucherCampaign, VoucherTemplate } from "../vouchers/index.js";
import { campaignTextsAfter, campaignTextsOfIds } from "./campaign.store.js";

/** A campaign as decisions see it. Its name stands in the answer of every redemption of its vouchers. */
export interface CatalogueCampaign {
  id: string;
  name: string;
  active: boolean;
  category_id: string | null;
  /** What its vouchers inherit. */
  activity: ActivityWindow;
  window: CompiledWindow;
  campaign_type: VoucherCampaign["campaign_type"];
  type: VoucherCampaign["type"];
  created_at: Instant;
  /** What its codes give; null for promotions and loyalty programs. */
  code: CodeGiven | null;
}

/** What the next code of a campaign would be like. */
export type CodeGiven = Pick<VoucherTemplate, "type" | "discount" | "gift"> & { quantity: number | null };

type Stored = [
  name: string,
  active: boolean,
  category_id: string | null,
  campaign_type: CatalogueCampaign["campaign_type"],
  type: CatalogueCampaign["type"],
  created_at: Instant,
  code: StoredCode | null,
  window: StoredWindow,
];

type StoredCode = [
  type: CodeGiven["type"],
  discount: CodeGiven["discount"] | null,
  gift: CodeGiven["gift"] | null,
  quantity: number | null,
];

export const campaignShelf = shelf<Stored, CatalogueCampaign>({
  kind: "campaign",
  page: campaignTextsAfter,
  byIds: campaignTextsOfIds,
  compile(id, [name, active, category_id, campaign_type, type, created_at, code, stored], { time_zone }) {
    const activity = windowOfStored(stored);
    const window = compileWindow(activity, time_zone);
    const kind = { campaign_type, type, created_at, code: code && codeGiven(code) };
    return { id, name, active, category_id, activity, window, ...kind };
  },
});

const codeGiven = ([type, discount, gift, quantity]: StoredCode): CodeGiven => ({
  type,
  quantity,
  ...(discount ? { discount } : {}),
  ...(gift ? { gift } : {}),
});

/** The campaign with its category, as the engine asks for it. */
export const campaignFacts = (
  catalogue: Catalogue,
  { id, active, window, category_id }: CatalogueCampaign,
): CampaignFacts => ({ id, active, window, category: categoryFacts(catalogue, category_id) });

export const shelves = [campaignShelf];
