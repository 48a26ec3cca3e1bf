import { describe, expect, test } from "vitest";
import { readOperations } from "../harness/document.js";
import { startService } from "../harness/service.js";
import * as activities from "./activities.fixtures.js";
import type { AskedList, Expected, MakeList } from "./asked.fixtures.js";
import { named_by_contract } from "./contract.fixtures.js";
import * as exports from "./exports.fixtures.js";
import * as goods from "./goods.fixtures.js";
import * as people from "./people.fixtures.js";
import * as promotions from "./promotions.fixtures.js";
import * as publications from "./publications.fixtures.js";
import * as rewards from "./rewards.fixtures.js";
import * as terms from "./terms.fixtures.js";

const makers: Readonly<Record<string, MakeList>> = {
  "/v1/async-actions": goods.asyncActions,
  "/v1/campaigns": terms.campaigns,
  "/v1/categories": goods.categories,
  "/v1/customers": people.customers,
  "/v1/customers/{customerId}/activity": activities.activity,
  "/v1/customers/{customerId}/activities": activities.activities,
  "/v1/customers/{customerId}/redeemables": people.redeemablesOfCustomer,
  "/v1/customers/{customerId}/segments": people.segmentsOfCustomer,
  "/v1/exports": exports.exports,
  "/v1/locations": goods.locations,
  "/v1/loyalties": terms.programs,
  "/v1/loyalties/{campaignId}/members": terms.members,
  "/v1/loyalties/{campaignId}/earning-rules": terms.earningRules,
  "/v1/loyalties/{campaignId}/pending-points": rewards.pendingPoints("of a program"),
  "/v1/loyalties/members/{memberId}/pending-points": rewards.pendingPoints("of a card"),
  "/v1/loyalties/{campaignId}/members/{memberId}/pending-points": rewards.pendingPoints("of a card in a program"),
  "/v1/loyalties/{campaignId}/tiers": terms.loyaltyTiers,
  "/v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/rewards": rewards.rewardsOfTier,
  "/v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/earning-rules": terms.earningRulesOfTier,
  "/v1/loyalties/{campaignId}/rewards": rewards.rewardsOfProgram,
  "/v1/loyalties/{campaignId}/reward-assignments": rewards.assignmentsOfProgram,
  "/v1/loyalties/members/{memberId}/activity": activities.activityOfMember(null),
  "/v1/loyalties/{campaignId}/members/{memberId}/activity": activities.activityOfMember("under its program"),
  "/v1/loyalties/members/{memberId}/rewards": rewards.rewardsOfMember,
  "/v1/loyalties/members/{memberId}/tiers": terms.tiersOfMember,
  "/v1/orders": goods.orders,
  "/v1/product-collections": goods.collections,
  "/v1/product-collections/{productCollectionId}/products": goods.collectionMembers,
  "/v1/products": goods.products,
  "/v1/products/{productId}/skus": goods.skus,
  "/client/v1/promotions/tiers": promotions.tiersOnPages,
  "/v1/promotions/tiers": promotions.tiers,
  "/v1/promotions/{campaignId}/tiers": promotions.tiersOfCampaign,
  "/v1/promotions/stacks": promotions.stacks,
  "/v1/promotions/{campaignId}/stacks": promotions.stacksOfCampaign,
  "/v1/publications": publications.publications,
  "/v1/referrals/members/{memberId}/holders": publications.holders(null),
  "/v1/referrals/{campaignId}/members/{memberId}/holders": publications.holders("under its campaign"),
  "/v1/redemptions": terms.redemptions,
  "/v1/rewards": rewards.rewards,
  "/v1/rewards/{rewardId}/assignments": rewards.assignmentsOfReward,
  "/v1/segments": people.segments,
  "/v1/templates/campaigns": promotions.templates,
  "/v1/trash-bin": goods.bin,
  "/v1/validation-rules": people.validationRules,
  "/v1/validation-rules-assignments": people.assignments,
  "/v1/validation-rules/{validationRuleId}/assignments": people.assignmentsOfRule,
  "/v1/vouchers": terms.vouchers,
  "/v1/vouchers/{code}/redemption": terms.redemptionsOfVoucher,
  "/v1/vouchers/{code}/sessions": terms.sessionsOfVoucher,
  "/v1/vouchers/{code}/transactions": rewards.transactionsOfVoucher,
  "/v1/loyalties/{campaignId}/members/{memberId}/points-expiration": rewards.pointsExpiration,
  "/v1/campaigns/{campaignId}/transactions": rewards.transactionsOfCampaign("campaigns"),
  "/v1/loyalties/{campaignId}/transactions": rewards.transactionsOfCampaign("loyalties"),
  "/v1/loyalties/members/{memberId}/transactions": rewards.transactionsOfMember(null),
  "/v1/loyalties/{campaignId}/members/{memberId}/transactions": rewards.transactionsOfMember("under its program"),
  "/management/v1/projects": people.projects,
  "/management/v1/projects/{projectId}/custom-event-schemas": people.customEventSchemas,
  "/management/v1/projects/{projectId}/metadata-schemas": people.metadataSchemas,
  "/v1/metadata-schemas": people.metadataSchemasOfProject,
  "/management/v1/projects/{projectId}/stacking-rules": people.stackingRules,
  "/management/v1/projects/{projectId}/branding": goods.brands,
  "/management/v1/projects/{projectId}/templates/campaigns": promotions.templatesForTheOwner,
  "/management/v1/projects/{projectId}/users": people.users,
  "/management/v1/projects/{projectId}/webhooks": people.webhooks,
  "/management/v1/roles": people.roles,
  "/management/v1/projects/{projectId}/send-outs": people.sendOuts,
  "/management/v1/projects/{projectId}/automations": people.automations,
  "/management/v1/projects/{projectId}/campaigns/{campaignId}/referral-tiers": publications.referralTiers,
};

const service = await startService();
const lists: { path: string; list: AskedList }[] = [];
for (const [path, make] of Object.entries(makers)) {
  lists.push({ path, list: await make(service, await service.anotherProject()) });
}

const operations = await readOperations(service.url);
const answersOfLists = operations.filter(({ method, answer }) => method === "GET" && answer?.properties?.data_ref);

test("every list that we serve is asked for all that the contract or our document names for it", () => {
  expect(Object.keys(makers).sort()).toEqual(answersOfLists.map(({ path }) => path).sort());
  expect(Object.keys(named_by_contract).sort()).toEqual(Object.keys(makers).sort());
});

describe.each(lists)("GET $path", ({ path, list }) => {
  const { api, url, made, first, asked } = list;
  const rowsOf = async (query: string): Promise<{ id: string; key?: string; reward?: { id: string } }[]> => {
    const { body } = await api.get(`${url}?${query}`, 200);
    return body[body.data_ref];
  };
  const numbersFor = async (query: string) =>
    (await rowsOf(query))
      .map(({ id, key, reward }) => made.indexOf(key ?? reward?.id ?? id))
      .filter((number) => number >= 0);

  test("answers all without parameters, and ignores what nobody names", async () => {
    expect(await numbersFor("")).toEqual(first);
    expect(await numbersFor("colour=red&filter=x&sort=y")).toEqual(first);
  });

  test("is asked for all that is named", () => {
    const ours = answersOfLists.find((one) => one.path === path)?.parameters.filter((one) => one.in === "query") ?? [];
    const named = [...(named_by_contract[path] ?? []), ...ours.map(({ name }) => name)];
    expect(named.filter((name) => !tells(name, first, asked))).toEqual([]);
  });

  if (Object.keys(asked).length > 0) {
    test.each(Object.entries(asked))("%s", async (query, expected) => {
      if ("refused" in expected) {
        expect((await api.get(`${url}?${query}`, 400)).body.details).toContain(expected.refused);
      } else if ("shows" in expected) {
        expect((await rowsOf(query)).map((row) => expected.shows(row as never))).toEqual(expected.as);
      } else {
        expect(await numbersFor(query)).toEqual(expected);
      }
    });
  }
});

/** Whether a query asks for what is named, and cannot be answered as if it did not. */
function tells(name: string, first: readonly number[], asked: AskedList["asked"]): boolean {
  const of_name = Object.entries(asked).filter(([query]) =>
    query.split("&").some((part) => part === name || part.startsWith(`${name}=`) || part.startsWith(`${name}[`)),
  );
  // One value of many may leave things as they are; another one of the same parameter does not.
  const [parameter = ""] = name.split("=");
  return name.includes("=")
    ? of_name.length > 0 && tells(parameter, first, asked)
    : of_name.some(([, expected]) => differs(expected, first));
}

const differs = (expected: Expected, first: readonly number[]) =>
  "refused" in expected || "shows" in expected || JSON.stringify(expected) !== JSON.stringify(first);
