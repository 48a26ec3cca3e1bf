import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { works } from "../../src/features/loyalties/tiers/index.js";
import { runDue } from "../../src/platform/jobs/loop.js";
import {
  type AskedList,
  after,
  atMinutes,
  between_created,
  between_updated,
  by_creation,
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

const ten_off = { type: "AMOUNT", amount_off: 1000 };
/** The amount of areas and stores shown of each campaign: none, and of none yet. */
const kept_to_none = {
  "expand=access_settings_assignments": {
    shows: ({ access_settings_assignments }: { access_settings_assignments: { total: number } }) =>
      access_settings_assignments.total,
    as: [0, 0, 0],
  },
};

/** The amount of categories shown of each campaign, since only `expand` shows any. */
const categoriesShown = (as: readonly number[]) => ({
  shows: ({ categories }: { categories: unknown[] }) => categories.length,
  as,
});

export const campaigns: MakeList = async (service, { api }) => {
  const kinds = [
    {
      campaign_type: "PROMOTION",
      category: "shoes",
      promotion: { tiers: [{ name: "t", banner: "b", action: { discount: ten_off } }] },
      expiration_date: "2026-03-01T00:00:00Z",
    },
    {
      campaign_type: "DISCOUNT_COUPONS",
      type: "AUTO_UPDATE",
      start_date: "2026-04-01T00:00:00Z",
      validity_timeframe: { duration: "PT1H", interval: "P1D" },
      voucher: { type: "DISCOUNT_VOUCHER", discount: ten_off },
    },
    {
      campaign_type: "GIFT_VOUCHERS",
      type: "STATIC",
      category: "hats",
      vouchers_count: 2,
      validity_day_of_week: [1],
      voucher: { type: "GIFT_VOUCHER", gift: { amount: 100 } },
    },
  ];
  const made = await three(
    service,
    async (i) => (await api.post("/v1/campaigns", { name: `campaign ${i}`, ...kinds[i] }, 200)).body.id,
  );
  service.clock.set(minute(4));
  await api.put(`/v1/campaigns/${made[1]}`, { description: "changed" }, 200);
  const asked = {
    ...paged(100),
    ...after(made[2]),
    ...by_dates,
    "campaign_type=PROMOTION": [0],
    "campaign_type=DISCOUNT_COUPONS": [1],
    "campaign_type=GIFT_VOUCHERS": [2],
    "campaign_type=REFERRAL_PROGRAM": [],
    "campaign_type=LOYALTY_PROGRAM": [],
    "campaign_status=DONE": [1, 0],
    "campaign_status=IN_PROGRESS": [2],
    "campaign_status=FAILED": [],
    "campaign_status=DRAFT": [],
    "campaign_status=MODIFYING": [],
    "is_referral_code=true": [],
    "is_referral_code=false": newest_first,
    "page=1": categoriesShown([0, 0, 0]),
    "expand=category": categoriesShown([1, 0, 1]),
    ...kept_to_none,
    "access_settings[filter][areas_ids][0]=x": refused("access_settings"),
    [filter("active", "$active", "true")]: [2],
    [filter("status", "$expired", "true")]: [0],
    [filter("campaign_status", "$is", "IN_PROGRESS")]: [2],
    [filter("campaigns", "$is", "campaign 1")]: [1],
    [filter("campaigns_id", "$is", made[2])]: [2],
    [filter("categories", "$is", "shoes")]: [0],
    [filter("category_ids", "$has_value", "")]: [2, 0],
    [filter("created_date", "$after", minute(2))]: [2],
    [filter("updated_at", "$after", minute(3))]: [1],
    [filter("start_date", "$has_value", "")]: [1],
    [filter("expiration_date", "$before", minute(0))]: [0],
    [filter("is_referral_code", "$is", "true")]: [],
    [filter("type", "$is", "AUTO_UPDATE")]: [1],
    [filter("validity_day_of_week", "$is", 1)]: [2],
    [filter("validity_timeframe", "$has_value", "")]: [1],
    [filter("voucher_type", "$is", "GIFT_VOUCHER")]: [2],
    [`filters[junction]=or&${filter("voucher_type", "$is", "GIFT_VOUCHER")}&${filter("categories", "$is", "shoes")}`]: [
      2, 0,
    ],
  };
  return { api, url: "/v1/campaigns", made, first: newest_first, asked };
};

export const programs: MakeList = async (service, project) => {
  const { api } = project;
  const made = await three(service, async (i) => (await aProgram(project, i === 0 ? { category: "shoes" } : {})).id);
  service.clock.set(minute(4));
  await api.put(`/v1/loyalties/${made[1]}`, { description: "changed" }, 200);
  const asked = {
    ...paged(100),
    ...by_dates,
    "page=1": categoriesShown([0, 0, 0]),
    "expand=category": categoriesShown([0, 0, 1]),
    ...kept_to_none,
  };
  return { api, url: "/v1/loyalties", made, first: newest_first, asked };
};

export const members: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project, { type: "STATIC" });
  const url = `/v1/loyalties/${program.id}/members`;
  const made = await three(service, async (i) => {
    const code = ["M-B", "M-C", "M-A"][i];
    await api.post(`/v1/campaigns/${program.id}/vouchers/${code}`, {}, 200);
    return (await api.post(url, { customer: { source_id: `member-${i}` }, voucher: code }, 200)).body.id;
  });
  service.clock.set(minute(4));
  await api.put("/v1/vouchers/M-C", { active: false }, 200);
  const asked = {
    ...paged(100),
    ...by_dates,
    ...ordered("code", [2, 0, 1]),
    ...between_created,
    // A card is changed when somebody gets it.
    [`updated_at[after]=${minute(3)}`]: [1],
    [`updated_at[before]=${minute(4)}`]: [2, 0],
    "customer=member-0": [0],
    "code=M-A": [2],
    [`ids[0]=${made[0]}&ids[1]=${made[1]}`]: [1, 0],
  };
  return { api, url, made, first: newest_first, asked };
};

export const earningRules: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project);
  const url = `/v1/loyalties/${program.id}/earning-rules`;
  const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 } };
  const made = await three(service, async () => (await api.post(url, [rule], 200)).body[0].id);
  service.clock.set(minute(4));
  await api.post(`${url}/${made[1]}/disable`, {}, 200);
  return { api, url, made, first: newest_first, asked: { ...paged(100), ...after(made[2]), ...by_dates } };
};

export const earningRulesOfTier: MakeList = async (service, project) => {
  const { api, made, first, ...list } = await earningRules(service, project);
  const tiers = list.url.replace("earning-rules", "tiers");
  const { id } = (await api.post(tiers, [{ name: "level", points: {} }], 200)).body[0];
  return { api, url: `${tiers}/${id}/earning-rules`, made, first, asked: paged(100) };
};

/** None of them is ever changed. */
export const loyaltyTiers: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project);
  const url = `/v1/loyalties/${program.id}/tiers`;
  const tier = (i: number) => ({ name: `level ${i}`, points: { from: 100 * i, to: 100 * i + 50 } });
  const made = await three(service, async (i) => (await api.post(url, [tier(i)], 200)).body[0].id);
  const by_dates = { ...by_creation, ...ordered("updated_at", [0, 1, 2]), "order=length": refused("order") };
  return { api, url, made, first: newest_first, asked: { ...limited, ...by_dates } };
};

/** Of three tiers the one that the card's points are in. */
export const tiersOfMember: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project, {}, 150);
  const tier = (i: number) => ({ name: `level ${i}`, points: { from: 100 * i, to: 100 * i + 99 } });
  const tiers = `/v1/loyalties/${program.id}/tiers`;
  const made = await three(service, async (i) => (await api.post(tiers, [tier(i)], 200)).body[0].id);
  const { card } = await aMember(project, program);
  // Not the second phase of all lists' projects: others look at what waits for it.
  const own = works.map((make) => make(service.context, { project_ids: [project.id] }));
  await runDue(service.context, own, service.clock.now());
  return { api, url: `/v1/loyalties/members/${card.id}/tiers`, made, first: [1], asked: {} };
};

/** A voucher of its own, a card that somebody holds, and a gift card. */
export const vouchers: MakeList = async (service, project) => {
  const { api } = project;
  const campaign = await aProgram(project, { name: "alpha", type: "STATIC" });
  const made = await atMinutes(service, [
    () =>
      newVoucher(api, "V-B", {
        discount: ten_off,
        category: "shoes",
        metadata: { colour: "red" },
      }),
    async () => (await api.post(`/v1/campaigns/${campaign.id}/vouchers/V-C`, {}, 200)).body.id,
    () =>
      newVoucher(api, "V-A", {
        type: "GIFT_VOUCHER",
        gift: { amount: 100 },
        category: "hats",
        start_date: "2026-01-01T00:00:00Z",
        expiration_date: "2026-02-01T00:00:00Z",
      }),
  ]);
  service.clock.set(minute(4));
  await api.post("/v1/vouchers/V-B/redemption", {}, 200);
  const held = { customer: { source_id: "holder" }, voucher: "V-C" };
  const { holder_id } = (await api.post(`/v1/loyalties/${campaign.id}/members`, held, 200)).body;
  await api.put("/v1/vouchers/V-C", { active: false }, 200);
  const category_of_hats = (await api.get("/v1/vouchers/V-A", 200)).body.category_id;
  const asked = {
    ...paged(99),
    ...after(made[2]),
    ...by_dates,
    ...ordered("code", [2, 0, 1]),
    ...ordered("type", [0, 2, 1]),
    // What has none stands after all others, or before them.
    ...ordered("campaign", [1, 0, 2]),
    ...ordered("category", [2, 0, 1]),
    ...between_created,
    ...between_updated,
    "category=shoes": [0],
    "campaign=alpha": [1],
    [`campaign_id=${campaign.id}`]: [1],
    "customer=holder": [1],
    "code=V-A": [2],
    [`ids=${made[0]},${made[1]}`]: [1, 0],
    [filter("code", "$is", "V-B")]: [0],
    [filter("campaign", "$is", "alpha")]: [1],
    [filter("campaign_ids", "$in", campaign.id)]: [1],
    [filter("category", "$is", "hats")]: [2],
    [filter("categories", "$is", "shoes")]: [0],
    [filter("category_ids", "$is", category_of_hats)]: [2],
    [filter("active", "$active", "true")]: [0],
    [filter("active", "$expired", "true")]: [2],
    [filter("active", "$disabled", "true")]: [1],
    [filter("type", "$is", "GIFT_VOUCHER")]: [2],
    [filter("holder_id", "$is", holder_id)]: [1],
    [filter("is_referral_code", "$is", "true")]: [],
    [filter("start_date", "$has_value", "")]: [2],
    [filter("expiration_date", "$before", minute(0))]: [2],
    [filter("created_at", "$after", minute(2))]: [2],
    [filter("redemption.redeemed_quantity", "$more_than", 0)]: [0],
    [filter("metadata.colour", "$is", "red")]: [0],
    [`filters[junction]=or&${filter("campaign_ids", "$in", "none")}&${filter("code", "$is", "V-A")}`]: [2],
  };
  return { api, url: "/v1/vouchers", made, first: newest_first, asked };
};

/** Of the first voucher by one customer, refused to another, and of the second, which is of a campaign, by a third. */
export const redemptions: MakeList = async (service, { api }) => {
  const ids: string[] = [];
  // Known before they redeem, so that their ids are in another order than the redemptions.
  for (const source_id of ["of 2", "of 0", "of 1"]) {
    ids.push((await api.post("/v1/customers", { source_id }, 200)).body.id);
  }
  const voucher = { type: "DISCOUNT_VOUCHER", discount: ten_off };
  const fields = { name: "alpha", campaign_type: "DISCOUNT_COUPONS", type: "AUTO_UPDATE", voucher };
  const campaign = (await api.post("/v1/campaigns", fields, 200)).body.id;
  const in_campaign = (await api.post(`/v1/campaigns/${campaign}/vouchers/R-A`, {}, 200)).body.id;
  await newVoucher(api, "R-B", { discount: ten_off, redemption: { quantity: 1 } });
  const made = await three(service, async (i) => {
    const path = `/v1/vouchers/${i === 2 ? "R-A" : "R-B"}/redemption?tracking_id=t-${[2, 3, 1][i]}`;
    // One that is refused has the metadata that it came with as well.
    const metadata = i === 0 ? {} : { till: i, tags: ["new"] };
    await api.post(path, { customer: { source_id: `of ${i}` }, metadata }, i === 1 ? 400 : 200);
    return (await api.get("/v1/redemptions?limit=1", 200)).body.redemptions[0].id;
  });
  const { redemptions: shown } = (await api.get("/v1/redemptions?order=created_at", 200)).body;
  // As they are shown: what the caller gave is sealed in them.
  const tracked = shown.map(({ tracking_id }: { tracking_id: string }) => tracking_id);
  const asked = {
    ...paged(99),
    ...after(made[2]),
    ...by_creation,
    ...ordered("id", [0, 1, 2]),
    ...ordered("voucher_code", [2, 0, 1]),
    ...ordered(
      "tracking_id",
      [0, 1, 2].sort((one, other) => (tracked[one] < tracked[other] ? -1 : 1)),
    ),
    ...ordered("customer_id", [2, 0, 1]),
    "order=updated_at": refused("order"),
    ...between_created,
    "result=FAILURE": [1],
    "campaign=alpha": [2],
    "campaign=unknown": [],
    "campaign=unknown&filters[result]=SUCCESS": refused("filters.result"),
    "customer=of%200": [0],
    [filter("campaign_name", "$is", "alpha")]: [2],
    [filter("customer_id", "$is", ids[1] ?? "")]: [0],
    [filter("failure_code", "$has_value", "")]: [1],
    [filter("object", "$is_not", "redemption")]: [],
    [filter("parent_redemption_id", "$has_value", "")]: [],
    [filter("related_object_id", "$is", in_campaign)]: [2],
    [filter("related_object_parent_id", "$is", campaign)]: [2],
    [filter("result", "$is", "FAILURE")]: [1],
    [filter("user_login", "$is", "x")]: [],
    [filter("related_object", "$is", "promotion_tier")]: [],
    [filter("voucher_code", "$is", "R-A")]: [2],
    [filter("metadata.till", "$is", "1")]: [1],
    [filter("metadata.till", "$is_not", "1")]: [2, 0],
    [filter("metadata.till", "$more_than", "0")]: [2, 1],
    [filter("metadata.tags", "$contains", "new")]: [2, 1],
    [filter("metadata.tags", "$is_unknown", "true")]: [0],
    [`filters[junction]=or&${filter("metadata.till", "$is", "2")}&${filter("result", "$is", "FAILURE")}`]: [2, 1],
    [`filters[junction]=or&${filter("result", "$is", "FAILURE")}&${filter("voucher_code", "$is", "R-A")}`]: [2, 1],
  };
  return { api, url: "/v1/redemptions", made, first: newest_first, asked };
};

export const redemptionsOfVoucher: MakeList = async (service, { api }) => {
  await newVoucher(api, "THRICE", { discount: ten_off });
  const url = "/v1/vouchers/THRICE/redemption";
  const made = await three(service, async () => (await api.post(url, {}, 200)).body.id);
  return { api, url, made, first: newest_first, asked: {} };
};

const newVoucher = async (api: Api, code: string, fields: object): Promise<string> =>
  (await api.post(`/v1/vouchers/${code}`, fields, 200)).body.id;

/** Locks have keys for ids, and nothing but their ends to be sorted by. */
export const sessionsOfVoucher: MakeList = async (service, { api }) => {
  await api.post("/v1/vouchers/HELD", { discount: ten_off, redemption: { quantity: 9 } }, 200);
  const redeemables = [{ object: "voucher", id: "HELD" }];
  const made = await three(service, async (i) => {
    const session = { type: "LOCK", ttl: 5 - i };
    return (await api.post("/v1/validations", { redeemables, session }, 200)).body.session.key;
  });
  return { api, url: "/v1/vouchers/HELD/sessions", made, first: newest_first, asked: paged(100) };
};
