import { aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { given } from "../../src/features/rewards/reward.fixtures.js";
import {
  type AskedList,
  after,
  filter,
  limited,
  type MakeList,
  newest_first,
  ordered,
  paged,
  three,
} from "./asked.fixtures.js";

type Api = AskedList["api"];

const newReward = async (api: Api): Promise<string> =>
  (await api.post("/v1/rewards", { name: "reward", parameters: { coin: { exchange_ratio: 1 } } }, 200)).body.id;

const assigned = async (api: Api, reward: string, campaign: string): Promise<string> =>
  (await api.post(`/v1/rewards/${reward}/assignments`, { campaign }, 200)).body.id;

export const rewards: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project);
  const made = await three(service, () => newReward(api));
  const assignment = await assigned(api, made[1], program.id);
  const asked = { ...paged(100), ...after(made[2]), [`assignment_id=${assignment}`]: [1], "assignment_id=none": [] };
  return { api, url: "/v1/rewards", made, first: newest_first, asked };
};

export const assignmentsOfReward: MakeList = async (service, project) => {
  const { api } = project;
  const reward = await newReward(api);
  const made = await three(service, async () => assigned(api, reward, (await aProgram(project)).id));
  const asked = { ...paged(100), ...after(made[2]) };
  return { api, url: `/v1/rewards/${reward}/assignments`, made, first: newest_first, asked };
};

const ofProgram =
  (noun: string, parameter: string): MakeList =>
  async (service, project) => {
    const { api } = project;
    const program = await aProgram(project);
    const made = await three(service, async () => assigned(api, await newReward(api), program.id));
    const asked = { ...paged(100), ...after(made[2]), [`${parameter}=${made[1]}`]: [1] };
    return { api, url: `/v1/loyalties/${program.id}/${noun}`, made, first: newest_first, asked };
  };

export const rewardsOfProgram = ofProgram("rewards", "assignment_id");
export const assignmentsOfProgram = ofProgram("reward-assignments", "assignmentId");

/** A member with twenty points; the middle reward costs more. */
export const rewardsOfMember: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project, {}, 20);
  const { body: product } = await api.post("/v1/products", { name: "Mug" }, 200);
  const made = await three(service, async (i) => {
    const { body } = await api.post("/v1/rewards", { parameters: { product: { id: product.id } } }, 200);
    await given(project, program, body, [20, 21, 1][i]);
    return body.id;
  });
  const { body: card } = await api.post(`/v1/loyalties/${program.id}/members`, { customer: { source_id: "m" } }, 200);
  const asked = { ...paged(100), "affordable_only=true": [2, 0], "affordable_only=false": newest_first };
  return { api, url: `/v1/loyalties/members/${card.id}/rewards`, made, first: newest_first, asked };
};

/** Three times a point by hand. */
async function threeTransactions(service: Parameters<MakeList>[0], api: Api, card: { code: string }) {
  return three<string>(service, async (i) => {
    await api.post(`/v1/vouchers/${card.code}/balance`, { amount: i + 1 }, 200);
    return (await api.get(`/v1/vouchers/${card.code}/transactions?limit=1`, 200)).body.data[0].id;
  });
}

export const transactionsOfVoucher: MakeList = async (service, { api }) => {
  const { body: card } = await api.post("/v1/vouchers/GIFT", { type: "GIFT_VOUCHER", gift: { amount: 100 } }, 200);
  const made = await threeTransactions(service, api, card);
  const asked = { ...limited, ...after(made[2]), ...ordered("id", [0, 1, 2]) };
  return { api, url: "/v1/vouchers/GIFT/transactions", made, first: newest_first, asked };
};

export const transactionsOfMember =
  (under: "under its program" | null): MakeList =>
  async (service, project) => {
    const { api } = project;
    const program = await aProgram(project);
    const { body: card } = await api.post(`/v1/loyalties/${program.id}/members`, { customer: { source_id: "m" } }, 200);
    const made = await threeTransactions(service, api, card);
    const asked = {
      ...limited,
      ...after(made[2]),
      ...ordered("id", [0, 1, 2]),
      [filter("id", "$is", made[1])]: [1],
      [`filters[junction]=or&${filter("id", "$is", made[1])}`]: [1],
    };
    const url = `/v1/loyalties/${under ? `${program.id}/` : ""}members/${card.code}/transactions`;
    return { api, url, made, first: newest_first, asked };
  };
