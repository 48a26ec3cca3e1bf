export { type CampaignParts, toCampaignBody } from "./campaign.body.js";
export { campaignJobs as jobs } from "./campaign.jobs.js";
export type { Campaign, CampaignStatus } from "./campaign.js";
export { campaignRoutes as routes } from "./campaign.routes.js";
export {
  ActionStarted,
  CampaignBody,
  CampaignCreate,
  CampaignList,
  CampaignParams,
  CampaignQuery,
  CampaignUpdate,
  campaign_types,
} from "./campaign.schemas.js";
export { createCampaign, makeCampaign, readCampaign } from "./campaign.service.js";
export { type CatalogueCampaign, type CodeGiven, campaignFacts, campaignShelf, shelves } from "./campaign.shelf.js";
export { findCampaign, findCampaignsByIds } from "./campaign.store.js";
export { binned } from "./campaign-bin.service.js";
export { changeCampaign, type Recalculating, removeCampaign } from "./campaign-edit.service.js";
export { readCampaigns, toCampaignBodies } from "./campaign-list.service.js";
export { knownCampaign } from "./known-campaign.js";
export { campaignIndex, promotionIndex, stackIndex } from "./promotion-index.js";
export { toStackBodies } from "./promotions/stack.service.js";
export { makeTier, readTiers } from "./promotions/tier.service.js";
export { consumers } from "./summary/summary.consumer.js";
