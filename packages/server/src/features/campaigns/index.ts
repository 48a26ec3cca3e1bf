export { windowOf } from "../promotions/index.js";
export { type CampaignParts, toCampaignBody } from "./campaign.body.js";
export type { Campaign, CampaignStatus } from "./campaign.js";
export { CampaignBody } from "./campaign.schemas.js";
export { findCampaignsByIds, findCampaigns } from "./campaign.store.js";
