export { windowOf } from "../promotions/index.js";
export { type CampaignParts, toCampaignBody } from "./campaign.body.js";
export { campaignJobs } from "./campaign.jobs.js";
export type { Campaign, CampaignStatus } from "./campaign.js";
export { campaignRoutes } from "./campaign.routes.js";
export { CampaignBody } from "./campaign.schemas.js";
export { findCampaigns, findCampaignsByIds } from "./campaign.store.js";
