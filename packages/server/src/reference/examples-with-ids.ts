import type { Example } from "./described.js";

const club = { campaignId: "Club" };
const always_on = { campaignId: "Always on" };
const bring_a_friend = { campaignId: "Bring a friend" };

/** Of what is named by an id that the service made: in a body it stands in braces, as it does in paths. */
export const examples_with_ids: readonly Example[] = [
  {
    id: "create-promotion-stack",
    path: always_on,
    body: { name: "Ten percent, then 5", tiers: { ids: ["{promotionTierId}"], hierarchy_mode: "MANUAL" } },
  },
  { id: "update-promotion-stack", path: always_on, body: { name: "Ten percent first" } },
  { id: "create-campaign-from-template", body: { name: "Autumn sale", vouchers_count: 10 } },
  {
    id: "management-copy-campaign-template",
    body: { destination_project_id: "{projectId}", name: "Ten percent, too" },
  },
  { id: "create-campaign-template", body: { name: "Ten percent off", promotion_tier_id: "{promotionTierId}" } },
  { id: "add-tier-from-template", body: { name: "Ten percent again", campaign_id: "Always on" } },
  { id: "purge-metadata-key", path: { relatedObject: "product" }, body: { key: "colour_of_old" } },
  {
    id: "add-voucher-with-specific-code-to-campaign",
    path: { campaignId: "Spring sale", code: "SPRING-FOR-BOB" },
    body: {},
  },
  {
    id: "redeem-voucher-client-side",
    path: { code: "SPRING-FOR-BOB" },
    body: { customer: { source_id: "bob" }, order: { amount: 5_000 } },
  },
  {
    id: "create-loyalty-program",
    body: {
      name: "Friends",
      type: "AUTO_UPDATE",
      voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 }, code_config: { pattern: "FRIEND-#####" } },
    },
  },
  {
    id: "create-reward-assignment-1",
    path: { campaignId: "Friends" },
    body: [{ reward: "{rewardId}", parameters: { loyalty: { points: 10 } } }],
  },
  {
    id: "redeem-reward",
    path: { memberId: "CLUB-ADA" },
    body: { reward: { id: "{rewardId}", points: 10 }, order: { amount: 5_000 } },
  },
  {
    id: "redeem-reward-1",
    path: { ...club, memberId: "CLUB-ADA" },
    body: { reward: { id: "{rewardId}", points: 10 }, order: { amount: 5_000 } },
  },
  {
    id: "create-reward",
    body: { name: "A mug", type: "MATERIAL", parameters: { product: { id: "{productId}" } } },
  },
  { id: "create-referral-tier", path: bring_a_friend, body: { criterion: "EACH_REFEREE", reward_id: "{rewardId}" } },
  { id: "update-referral-tier", path: bring_a_friend, body: { banner: "A present for each friend" } },
  {
    id: "invite-user",
    body: { email: "ola@shop.example.com", first_name: "Ola", last_name: "Lis", projects: { "{projectId}": "USER" } },
  },
  { id: "assign-user", body: { login: "ola@shop.example.com", role: "USER" } },
  { id: "update-user", body: { role: "VIEWER" } },
];
