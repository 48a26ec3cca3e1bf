import type { TestProject, TestService } from "../harness/service.js";
import {
  by_creation,
  from_start_to_end,
  limited,
  type MakeList,
  minute,
  newest_first,
  refused,
  three,
  unordered,
} from "./asked.fixtures.js";

/** A customer who redeems a code, is given a card, and moves house. */
async function anActiveCustomer(service: TestService, { api }: TestProject) {
  service.clock.set(minute(0));
  const customer = (await api.post("/v1/customers", { source_id: "active" }, 200)).body.id as string;
  const discount = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  const card = { type: "LOYALTY_CARD", loyalty_card: { points: 5 } };
  const coupons = (await api.post("/v1/campaigns", { name: "Coupons", voucher: discount }, 200)).body.id as string;
  const program = (await api.post("/v1/loyalties", { name: "Program", voucher: card }, 200)).body.id as string;
  const { code } = (await api.post(`/v1/campaigns/${coupons}/vouchers`, {}, 200)).body;
  const redeemables = [{ object: "voucher", id: code }];
  const steps = [
    () => api.post("/v1/redemptions", { redeemables, customer: { id: customer } }, 200),
    () => api.post(`/v1/loyalties/${program}/members`, { customer: { id: customer } }, 200),
    () => api.put(`/v1/customers/${customer}`, { address: { city: "Bergen" } }, 200),
  ];
  const made = await three(service, async (i) => {
    await steps[i]?.();
    return (await api.get(`/v1/customers/${customer}/activity?limit=1`, 200)).body.data[0].id as string;
  });
  const asked = {
    ...limited,
    ...by_creation,
    ...from_start_to_end,
    [`starting_after_id=${made[2]}`]: [1, 0],
    [`starting_after_id=${made[1]}&order=created_at`]: [2],
    "starting_after_id=evcus_none": refused("starting_after_id"),
    [`campaign_id=${coupons}`]: [0],
    "campaign_id=camp_none": [],
    "campaign_type=LOYALTY_PROGRAM": [1],
    "campaign_type=DISCOUNT_COUPONS": [0],
    "campaign_type=GIFT_VOUCHERS": [],
    "campaign_type=PROMOTION": [],
    "campaign_type=REFERRAL_PROGRAM": [],
    "campaign_type=COUPONS": refused("campaign_type"),
  };
  return { api, url: `/v1/customers/${customer}`, made, first: newest_first, asked };
}

export const activity: MakeList = async (service, project) => {
  const { url, asked, ...list } = await anActiveCustomer(service, project);
  const by_kind = {
    "category=ACTION": [2, 0],
    "category=EFFECT": [1],
    "category=REST": refused("category"),
    "type=customer.updated": [2],
    "type=customer.publication.succeeded": [1],
    "type=customer.sms.sent": [],
    "type=customer.sneezed": refused("type"),
  };
  return { ...list, url: `${url}/activity`, asked: { ...asked, ...by_kind, "order=type": refused("order") } };
};

export const activities: MakeList = async (service, project) => {
  const { url, asked, ...list } = await anActiveCustomer(service, project);
  const of_older_form = {
    ...unordered("updated_at", "type", "code", "campaign", "category"),
    [`starting_after=${minute(3)}`]: [1, 0],
    [`starting_after=${minute(1)}&order=created_at`]: [1, 2],
    "starting_after=soon": refused("starting_after"),
    "product_id=prod_1": refused("product_id"),
  };
  return { ...list, url: `${url}/activities`, asked: { ...asked, ...of_older_form } };
};

/** A member whose card gets points twice after it was given. */
export const activityOfMember =
  (under_program: string | null): MakeList =>
  async (service, { api }) => {
    service.clock.set(minute(0));
    const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 5 } };
    const { id: program } = (await api.post("/v1/loyalties", { name: "Program", voucher }, 200)).body;
    const customer = { source_id: "member" };
    let card = "";
    const pathOf = () => `/v1/loyalties/${under_program === null ? "" : `${program}/`}members/${card}/activity`;
    const made = await three(service, async (i) => {
      if (i === 0) card = (await api.post(`/v1/loyalties/${program}/members`, { customer }, 200)).body.code;
      else await api.post(`/v1/vouchers/${card}/balance`, { amount: 10 }, 200);
      return (await api.get(`${pathOf()}?limit=1`, 200)).body.data[0].id as string;
    });
    const asked = {
      ...limited,
      ...by_creation,
      "order=type": refused("order"),
      [`starting_after_id=${made[2]}`]: [1, 0],
      "starting_after_id=evcus_none": refused("starting_after_id"),
    };
    return { api, url: pathOf(), made, first: newest_first, asked };
  };
