import { aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { given } from "../../src/features/rewards/reward.fixtures.js";
import { createSecondPhase } from "../../src/second-phase.js";
import {
  type AskedList,
  after,
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

export const rewardsOfTier: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project);
  const { body: product } = await api.post("/v1/products", { name: "Mug" }, 200);
  const made = await three(service, async (i) => {
    const { body } = await api.post("/v1/rewards", { parameters: { product: { id: product.id } } }, 200);
    await given(project, program, body, i + 1);
    return body.id;
  });
  const tiers = `/v1/loyalties/${program.id}/tiers`;
  const { id } = (await api.post(tiers, [{ name: "level", points: {} }], 200)).body[0];
  return { api, url: `${tiers}/${id}/rewards`, made, first: newest_first, asked: {} };
};

/** Three times a point by hand. */
async function threeTransactions(service: Parameters<MakeList>[0], api: Api, card: { code: string }) {
  return three<string>(service, async (i) => {
    await api.post(`/v1/vouchers/${card.code}/balance`, { amount: i + 1 }, 200);
    return (await api.get(`/v1/vouchers/${card.code}/transactions?limit=1`, 200)).body.data[0].id;
  });
}

/** Of a card with three lots, of which the last that is made expires first. */
export const pointsExpiration: MakeList = async (service, project) => {
  const { api } = project;
  const program = await aProgram(project);
  const { body: card } = await api.post(`/v1/loyalties/${program.id}/members`, { customer: { source_id: "m" } }, 200);
  const url = `/v1/loyalties/${program.id}/members/${card.code}/points-expiration`;
  const made = await three(service, async (i) => {
    const dated = { points: 1, expiration_type: "CUSTOM_DATE", expiration_date: `2099-0${3 - i}-01` };
    await api.post(`/v1/loyalties/members/${card.code}/balance`, dated, 200);
    return (await api.get(url, 200)).body.data[0].id;
  });
  return { api, url, made, first: newest_first, asked: paged(100) };
};

export const transactionsOfVoucher: MakeList = async (service, { api }) => {
  const { body: card } = await api.post("/v1/vouchers/GIFT", { type: "GIFT_VOUCHER", gift: { amount: 100 } }, 200);
  const made = await threeTransactions(service, api, card);
  const asked = { ...limited, ...after(made[2]), ...ordered("id", [0, 1, 2]) };
  return { api, url: "/v1/vouchers/GIFT/transactions", made, first: newest_first, asked };
};

/** Of all cards of a program; another program's are not among them. */
export const transactionsOfCampaign =
  (group: "campaigns" | "loyalties"): MakeList =>
  async (service, project) => {
    const { api } = project;
    const [program, other] = [await aProgram(project), await aProgram(project)];
    const cardOf = async ({ id }: { id: string }, source_id: string) =>
      (await api.post(`/v1/loyalties/${id}/members`, { customer: { source_id } }, 200)).body;
    const cards = [await cardOf(program, "a"), await cardOf(program, "b"), await cardOf(program, "c")];
    await api.post(`/v1/vouchers/${(await cardOf(other, "a")).code}/balance`, { amount: 1 }, 200);
    const made = await three(service, async (i) => {
      await api.post(`/v1/vouchers/${cards[i].code}/balance`, { amount: i + 1 }, 200);
      return (await api.get(`/v1/vouchers/${cards[i].code}/transactions?limit=1`, 200)).body.data[0].id;
    });
    const asked = {
      ...limited,
      ...after(made[2]),
      ...ordered("id", [0, 1, 2]),
      [filter("id", "$is", made[1])]: [1],
      [filter("voucher_id", "$is", cards[2].id)]: [2],
      [filter("created_at", "$after", minute(2))]: [2],
      [`filters[junction]=or&${filter("id", "$is", made[1])}`]: [1],
    };
    return { api, url: `/v1/${group}/${program.id}/transactions`, made, first: newest_first, asked };
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
      [filter("created_at", "$after", minute(2))]: [2],
      [filter("created_at", "$before", minute(2))]: [0],
      [filter("created_at", "$before", "soon")]: refused("filters.created_at.conditions.$before"),
      [`filters[junction]=or&${filter("id", "$is", made[1])}&${filter("created_at", "$after", minute(2))}`]: [2, 1],
    };
    const url = `/v1/loyalties/${under ? `${program.id}/` : ""}members/${card.code}/transactions`;
    return { api, url, made, first: newest_first, asked };
  };

/** Of three orders, all of one customer. */
export const pendingPoints =
  (of: "of a program" | "of a card" | "of a card in a program"): MakeList =>
  async (service, project) => {
    const { api } = project;
    service.clock.set(minute(0));
    const program = await aProgram(project);
    const pending_points = { period_type: "DAY", period_value: 90 };
    const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 }, pending_points };
    await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
    const customer = { source_id: "m" };
    const { body: card } = await api.post(`/v1/loyalties/${program.id}/members`, { customer }, 200);
    const second_phase = createSecondPhase(service.context, { project_ids: [project.id] });
    const of_card = `members/${card.code}/pending-points`;
    const made = await three(service, async () => {
      await api.post("/v1/orders", { customer, amount: 100, status: "PAID" }, 200);
      await second_phase.runDue(service.clock.now());
      return (await api.get(`/v1/loyalties/${of_card}?limit=1`, 200)).body.data[0].id;
    });
    const paths = {
      "of a program": `${program.id}/pending-points`,
      "of a card": of_card,
      "of a card in a program": `${program.id}/${of_card}`,
    };
    const asked = { ...limited, ...after(made[2]), ...ordered("id", [0, 1, 2]) };
    return { api, url: `/v1/loyalties/${paths[of]}`, made, first: newest_first, asked };
  };
