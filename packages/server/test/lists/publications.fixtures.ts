import { aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import {
  after,
  by_creation,
  filter,
  limited,
  type MakeList,
  minute,
  newest_first,
  ordered,
  refused,
  three,
  unordered,
} from "./asked.fixtures.js";

/** A code, a card, and a refusal to give that card's holder another one. */
export const publications: MakeList = async (service, { api }) => {
  const discount = { type: "AMOUNT", amount_off: 100 };
  const voucher = { type: "DISCOUNT_VOUCHER", discount, code_config: { prefix: "~" } };
  const { body: coupons } = await api.post("/v1/campaigns", { name: "coupons", voucher }, 200);
  const program = await aProgram({ api });
  const wanted = [
    { campaign: { name: "coupons" }, customer: { source_id: "zoe" }, source_id: "first", channel: "till" },
    { campaign: { name: program.id }, customer: { source_id: "ann" }, channel: "mail" },
    { campaign: { name: program.id }, customer: { source_id: "ann" }, channel: "web" },
  ];
  // So that their ids are in another order than the publications.
  const ann = (await api.post("/v1/customers", { source_id: "ann" }, 200)).body.id;
  service.clock.set(minute(0));
  const shown = await three(service, async (i) => {
    await api.post("/v1/publications", wanted[i], i === 2 ? 400 : 200);
    return (await api.get("/v1/publications?limit=1", 200)).body.publications[0];
  });
  const [first, second] = shown;
  const asked = {
    ...limited,
    "limit=1&page=2": [1],
    "page=1000": [],
    "page=1001": refused("page"),
    "page=0": refused("page"),
    ...after(shown[2].id),
    ...by_creation,
    ...ordered("id", [0, 1, 2]),
    ...ordered("tracking_id", [1, 2, 0]),
    ...ordered("customer_id", [1, 2, 0]),
    ...ordered("channel", [1, 0, 2]),
    // A refusal that named no code comes last, and first the other way round.
    ...ordered("voucher_code", [1, 0, 2]),
    ...unordered("source_id"),
    "campaign=coupons": [0],
    "campaign=nobody": [],
    "customer=ann": [2, 1],
    [`customer=${first.customer_id}`]: [0],
    [`voucher=${second.voucher.code}`]: [1],
    "voucher=none": [],
    "result=FAILURE": [2],
    "result=SUCCESS": [1, 0],
    "result=MAYBE": refused("result"),
    "voucher_type=discount": [0],
    "voucher_type=loyalty": [1],
    "voucher_type=gift": [],
    "is_referral_code=true": [],
    "is_referral_code=perhaps": refused("is_referral_code"),
    "source_id=first": [0],
    [filter("failure_code", "$is", "voucher_cannot_be_published")]: [2],
    [filter("result", "$is", "SUCCESS")]: [1, 0],
    [filter("customer_id", "$is", ann)]: [2, 1],
    [filter("campaign_name", "$starts_with", "coup")]: [0],
    [filter("voucher_type", "$is", "LOYALTY_CARD")]: [1],
    [filter("is_referral_code", "$is", "true")]: [],
    [filter("parent_object_id", "$is", coupons.id)]: [0],
    [filter("related_object_id", "$is", first.vouchers_id[0])]: [0],
    [filter("source_id", "$has_value", "true")]: [0],
    [`filters[junction]=or&${filter("source_id", "$is", "first")}&${filter("result", "$is", "FAILURE")}`]: [2, 0],
  };
  return { api, url: "/v1/publications", made: shown.map(({ id }) => id), first: newest_first, asked };
};

/** The referrer of a code, and two who came by it. */
export const holders =
  (under: "under its campaign" | null): MakeList =>
  async (service, { api }) => {
    const voucher = { discount: { type: "AMOUNT", amount_off: 100 } };
    const fields = { name: "friends", campaign_type: "REFERRAL_PROGRAM", voucher };
    const campaign = (await api.post("/v1/campaigns", fields, 200)).body.id;
    const code = (await api.post(`/v1/campaigns/${campaign}/vouchers`, {}, 200)).body.code;
    const url = `/v1/referrals/${under ? `${campaign}/` : ""}members/${code}/holders`;
    const people: string[] = [];
    const made = await three(service, async (i) => {
      const person = { source_id: `person ${i}` };
      if (i === 0) await api.post("/v1/publications", { voucher: code, customer: person }, 200);
      else await api.post(url, { holders: [person] }, 200);
      const holder = (await api.get(`${url}?limit=1`, 200)).body.data[0];
      people.push(holder.customer_id);
      return holder.id as string;
    });
    const asked = {
      ...limited,
      "order=id": [0, 1, 2],
      "order=-id": newest_first,
      "order=code": refused("order"),
      ...after(made[2]),
      "starting_after_id=rh_none": refused("starting_after_id"),
      [filter("id", "$is", made[1])]: [1],
      [filter("created_at", "$after", minute(2))]: [2],
      [filter("holder_role", "$is", "REFERRER")]: [0],
      [filter("holder_role", "$not_in", "REFERRER")]: [2, 1],
      [filter("customer_id", "$is", people[2] ?? "")]: [2],
      [`${filter("id", "$is", made[1])}&${filter("holder_role", "$is", "REFERRER")}&filters[junction]=or`]: [1, 0],
    };
    return { api, url, made, first: newest_first, asked };
  };

export const referralTiers: MakeList = async (service, { id, api: shop }) => {
  const voucher = { discount: { type: "AMOUNT", amount_off: 100 } };
  const fields = { name: "friends", campaign_type: "REFERRAL_PROGRAM", voucher };
  const campaign = (await shop.post("/v1/campaigns", fields, 200)).body.id;
  const product = (await shop.post("/v1/products", { name: "Mug" }, 200)).body.id;
  const reward = {
    id: (await shop.post("/v1/rewards", { name: "Mug", parameters: { product: { id: product } } }, 200)).body.id,
  };
  const api = service.management;
  const url = `/management/v1/projects/${id}/campaigns/${campaign}/referral-tiers`;
  const tier = { criterion: "EACH_REFEREE", reward_id: reward.id };
  const made = await three(service, async () => (await api.post(url, tier, 200)).body.id as string);
  return { api, url, made, first: [0, 1, 2], asked: {} };
};
