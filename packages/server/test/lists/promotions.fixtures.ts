import type { TestService } from "../harness/service.js";
import {
  type AskedList,
  after,
  between_created,
  between_updated,
  by_dates,
  filter,
  limited,
  type MakeList,
  minute,
  newest_first,
  ordered,
  paged,
  refused,
  three,
} from "./asked.fixtures.js";

type Api = AskedList["api"];

const tier = (name: string) => ({ name, action: { discount: { type: "AMOUNT", amount_off: 100 } } });

const newCampaign = async (api: Api): Promise<string> =>
  (await api.post("/v1/campaigns", { name: "promotion", campaign_type: "PROMOTION" }, 200)).body.id;

const newTier = async (api: Api, campaign: string, i: number, more: Record<string, unknown> = {}): Promise<string> =>
  (await api.post(`/v1/promotions/${campaign}/tiers`, { ...tier(`tier ${i}`), ...more }, 200)).body.id;

export const tiers: MakeList = async (service, { api }) => {
  const campaign = await newCampaign(api);
  const states = [{}, { active: false }, { expiration_date: "2026-03-01T00:00:00Z" }];
  const made = await three(service, (i) => newTier(api, campaign, i, states[i]));
  service.clock.set(minute(4));
  await api.put(`/v1/promotions/tiers/${made[1]}`, { banner: "changed" }, 200);
  const asked = {
    ...paged(100),
    ...after(made[2]),
    ...by_dates,
    "is_available=true": [0],
    "is_available=false": [2, 1],
  };
  return { api, url: "/v1/promotions/tiers", made, first: newest_first, asked };
};

/** The same list, read by a page. */
export const tiersOnPages: MakeList = async (service, project) => ({
  ...(await tiers(service, project)),
  api: project.page,
  url: "/client/v1/promotions/tiers",
});

export const tiersOfCampaign: MakeList = async (service, { api }) => {
  const campaign = await newCampaign(api);
  const made = await three(service, (i) => newTier(api, campaign, i));
  return { api, url: `/v1/promotions/${campaign}/tiers`, made, first: [0, 1, 2], asked: {} };
};

const names = ["b", "c", "a"];

async function threeStacks(service: TestService, api: Api, campaign: string) {
  const ids = [await newTier(api, campaign, 0)];
  return three<string>(
    service,
    async (i) => (await api.post(`/v1/promotions/${campaign}/stacks`, { name: names[i], tiers: { ids } }, 200)).body.id,
  );
}

export const stacks: MakeList = async (service, { api }) => {
  const campaign = await newCampaign(api);
  const made = await threeStacks(service, api, campaign);
  service.clock.set(minute(4));
  await api.put(`/v1/promotions/${campaign}/stacks/${made[1]}`, { category: "changed" }, 200);
  const asked = {
    ...paged(100),
    ...after(made[2]),
    ...by_dates,
    ...between_created,
    ...between_updated,
    ...ordered("name", [2, 0, 1]),
  };
  return { api, url: "/v1/promotions/stacks", made, first: newest_first, asked };
};

export const stacksOfCampaign: MakeList = async (service, { api }) => {
  const campaign = await newCampaign(api);
  const made = await threeStacks(service, api, campaign);
  return { api, url: `/v1/promotions/${campaign}/stacks`, made, first: newest_first, asked: {} };
};

/** Of coupons, gift cards and a promotion tier. */
export const templates: MakeList = async (service, { api }) => {
  const vouchers = [
    { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } },
    { type: "GIFT_VOUCHER", gift: { amount: 100 } },
  ];
  const made = await three(service, async (i) => {
    const voucher = vouchers[i];
    const of = voucher
      ? { campaign_id: (await api.post("/v1/campaigns", { name: `campaign ${i}`, voucher }, 200)).body.id }
      : { promotion_tier_id: await newTier(api, await newCampaign(api), i) };
    return (await api.post("/v1/templates/campaigns", { ...of, name: `template ${i}` }, 200)).body.id;
  });
  const gifts = filter("campaign_type", "$is", "GIFT_VOUCHERS");
  const asked = {
    ...limited,
    ...after(made[2]),
    ...ordered("id", [0, 1, 2]),
    "order=name": refused("order"),
    "include_total=true": [2, 1, 0],
    "include_total=perhaps": refused("include_total"),
    [filter("id", "$in", made[1])]: [1],
    [filter("name", "$ends_with", "2")]: [2],
    [gifts]: [1],
    [`filters[junction]=or&${gifts}&${filter("name", "$is", "template 0")}`]: [1, 0],
  };
  return { api, url: "/v1/templates/campaigns", made, first: newest_first, asked };
};

/** The same list, read by the organization. */
export const templatesForTheOwner: MakeList = async (service) => {
  const project = await service.anotherProject();
  const url = `/management/v1/projects/${project.id}/templates/campaigns`;
  return { ...(await templates(service, project)), api: service.management, url };
};
