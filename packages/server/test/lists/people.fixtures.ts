import { automationsOf, sends } from "../../src/features/management/automations/automation.fixtures.js";
import { aSendOut } from "../../src/features/management/send-outs/send-out.fixtures.js";
import { aUser } from "../../src/features/management/users/user.fixtures.js";
import { uniqueText } from "../harness/resources.js";
import type { TestProject, TestService } from "../harness/service.js";
import {
  after,
  between_created,
  between_updated,
  by_creation,
  by_dates,
  filter,
  from_start_to_end,
  limited,
  type MakeList,
  minute,
  newest_first,
  ordered,
  paged,
  refused,
  three,
} from "./asked.fixtures.js";

export const customers: MakeList = async (service, { api }) => {
  const made = await three(service, async (i) => {
    const fields = { name: `Ann ${i}`, email: `ann${i}@example.com`, address: { city: `Town ${i}` } };
    // Not in the order of their making.
    return (await api.post("/v1/customers", { source_id: `c-${(i + 1) % 3}`, ...fields }, 200)).body.id;
  });
  service.clock.set(minute(4));
  await api.put(`/v1/customers/${made[1]}`, { phone: "1" }, 200);
  const listed = { name: "listed", type: "static", customers: [made[0]] };
  const segment = (await api.post("/v1/segments", listed, 200)).body.id;
  const asked = {
    ...paged(99),
    ...after(made[2]),
    ...by_dates,
    ...ordered("source_id", [2, 0, 1]),
    ...between_created,
    ...between_updated,
    "email=ann1@example.com": [1],
    "city=Town%202": [2],
    "name=Ann%200": [0],
    [`segment_id=${segment}`]: [0],
    [`starting_after=${minute(3)}`]: [1, 0],
    [`starting_after=${minute(1)}&order=created_at`]: [1, 2],
    "starting_after=soon": refused("starting_after"),
  };
  return { api, url: "/v1/customers", made, first: newest_first, asked };
};

export const segmentsOfCustomer: MakeList = async (service, { api }) => {
  const customer = (await api.post("/v1/customers", { source_id: "held" }, 200)).body.id;
  const held = { type: "static", customers: [customer] };
  const made = await three(
    service,
    async (i) => (await api.post("/v1/segments", { name: `s ${i}`, ...held }, 200)).body.id,
  );
  const asked = {
    "limit=2": [0, 1],
    "limit=0": refused("limit"),
    "limit=101": refused("limit"),
    [`starting_after_id=${made[0]}`]: [1, 2],
    "starting_after_id=seg_none": refused("starting_after_id"),
  };
  return { api, url: `/v1/customers/${customer}/segments`, made, first: [0, 1, 2], asked };
};

export const redeemablesOfCustomer: MakeList = async (service, { api }) => {
  const customer = (await api.post("/v1/customers", { source_id: "holder" }, 200)).body.id;
  const url = `/v1/customers/${customer}/redeemables`;
  const cards: { id: string; campaign_id: string }[] = [];
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 5 } };
  const made = await three(service, async (i) => {
    const program = { name: `program ${i}`, campaign_type: "LOYALTY_PROGRAM", voucher };
    const { id } = (await api.post("/v1/campaigns", program, 200)).body;
    cards.push((await api.post(`/v1/loyalties/${id}/members`, { customer: { id: customer } }, 200)).body);
    return (await api.get(url, 200)).body.data[0].id as string;
  });
  const asked = {
    ...limited,
    "order=id": [0, 1, 2],
    "order=-id": newest_first,
    "order=code": refused("order"),
    [`starting_after_id=${made[2]}`]: [1, 0],
    "starting_after_id=rh_none": refused("starting_after_id"),
    [filter("id", "$is", made[1])]: [1],
    [`${filter("id", "$is", made[1])}&${filter("redeemable_id", "$is", cards[0]?.id ?? "")}&filters[junction]=or`]: [
      1, 0,
    ],
    [filter("redeemable_id", "$is", cards[0]?.id ?? "")]: [0],
    [filter("campaign_id", "$is", cards[2]?.campaign_id ?? "")]: [2],
    [filter("created_at", "$after", minute(2))]: [2],
    [filter("redeemable_object", "$is_not", "voucher")]: [],
    [filter("holder_role", "$is", "REFERRER")]: [],
    [filter("campaign_type", "$is", "GIFT_VOUCHERS")]: [],
    [filter("voucher_type", "$is_not", "LOYALTY_CARD")]: [],
  };
  return { api, url, made, first: newest_first, asked };
};

export const segments: MakeList = async (service, { api }) => {
  const types = ["static", "passive", "auto-update"];
  const made = await three(service, async (i) => {
    const fields = { name: `segment ${i}`, type: types[i], filter: { junction: "and" } };
    return (await api.post("/v1/segments", fields, 200)).body.id;
  });
  const asked = {
    ...limited,
    ...after(made[2]),
    ...by_creation,
    ...from_start_to_end,
    [`ids=${made[0]}`]: [0],
    [`ids[0]=${made[0]}&ids[1]=${made[2]}`]: [2, 0],
    [filter("id", "$is", made[1])]: [1],
    [filter("name", "$is", "segment 0")]: [0],
    [filter("type", "$is", "passive")]: [1],
    [filter("created_at", "$after", minute(2))]: [2],
    [`filters[junction]=or&${filter("id", "$is", made[1])}&${filter("name", "$is", "segment 0")}`]: [1, 0],
  };
  return { api, url: "/v1/segments", made, first: newest_first, asked };
};

export const validationRules: MakeList = async (service, { api }) => {
  const names = ["beta", "gamma", "alpha"];
  const made = await three(
    service,
    async (i) => (await api.post("/v1/validation-rules", { name: names[i], rules: {} }, 200)).body.id,
  );
  service.clock.set(minute(4));
  await api.put(`/v1/validation-rules/${made[1]}`, { error: { message: "no" } }, 200);
  const asked = {
    ...paged(100),
    ...after(made[2]),
    ...by_dates,
    ...ordered("name", [2, 0, 1]),
    ...from_start_to_end,
  };
  return { api, url: "/v1/validation-rules", made, first: newest_first, asked };
};

/** Of three vouchers by one rule, and a fourth by another. */
export const assignmentsOfRule: MakeList = async (service, { api }) => {
  const rule = await newRule(api, "of all");
  const url = `/v1/validation-rules/${rule}/assignments`;
  const made = await three(service, async (i) => (await assign(api, rule, `OF-RULE-${i}`)).id);
  await assign(api, await newRule(api, "other"), "OTHER");
  return { api, url, made, first: newest_first, asked: { ...paged(100), ...after(made[2]), ...by_creation } };
};

export const assignments: MakeList = async (service, { api }) => {
  const rules = [await newRule(api, "first"), await newRule(api, "second")];
  const made = await three(service, (i) => assign(api, rules[i % 2] ?? "", `ASSIGNED-${i}`));
  const asked = {
    ...paged(100),
    ...after(made[2].id),
    ...by_creation,
    "order=updated_at": refused("order"),
    [`rule=${rules[1]}`]: [1],
    [`related_object_id=${made[0].voucher}`]: [0],
  };
  return { api, url: "/v1/validation-rules-assignments", made: made.map(({ id }) => id), first: newest_first, asked };
};

export const projects: MakeList = async (service) => {
  const api = service.management;
  const made = await three(service, async (i) => (await service.anotherProject({ name: `listed ${i}` })).id);
  return { api, url: "/management/v1/projects", made, first: [0, 1, 2], asked: {} };
};

export const customEventSchemas: MakeList = async (service, project) => {
  const api = service.management;
  const url = `/management/v1/projects/${project.id}/custom-event-schemas`;
  const made = await three(
    service,
    async (i) => (await api.post(url, { name: `listed_${i}`, schema: { properties: {} } }, 200)).body.id,
  );
  return { api, url, made, first: [0, 1, 2], asked: {} };
};

const threeMetadataSchemas = (service: TestService, project: TestProject) =>
  three(
    service,
    async (i) =>
      (
        await service.management.post(
          `/management/v1/projects/${project.id}/metadata-schemas`,
          { related_object: `listed_${i}`, properties: {} },
          200,
        )
      ).body.id,
  );

export const metadataSchemas: MakeList = async (service, project) => {
  const url = `/management/v1/projects/${project.id}/metadata-schemas`;
  const made = await threeMetadataSchemas(service, project);
  return { api: service.management, url, made, first: [0, 1, 2], asked: {} };
};

export const metadataSchemasOfProject: MakeList = async (service, project) => {
  const made = await threeMetadataSchemas(service, project);
  return { api: project.api, url: "/v1/metadata-schemas", made, first: [0, 1, 2], asked: {} };
};

/** There is one set a project. */
export const stackingRules: MakeList = async (service, project) => {
  const api = service.management;
  const url = `/management/v1/projects/${project.id}/stacking-rules`;
  const { id } = (await api.post(url, {}, 200)).body;
  return { api, url, made: [id], first: [0], asked: {} };
};

export const webhooks: MakeList = async (service, project) => {
  const api = service.management;
  const url = `/management/v1/projects/${project.id}/webhooks`;
  const made = await three(service, async (i) => {
    const target_url = `https://hooks.example/${i}`;
    return (await api.post(url, { target_url, events: ["customer.created"] }, 200)).body.id;
  });
  return { api, url, made, first: [0, 1, 2], asked: {} };
};

/** The organization's, those of other tests among them. */
export const roles: MakeList = async (service) => {
  const api = service.management;
  const url = "/management/v1/roles";
  const made = await three(service, async () => {
    const fields = { name: uniqueText("listed"), duplicate_of: "VIEWER" };
    return (await api.post(url, fields, 200)).body.id as string;
  });
  return { api, url, made, first: [0, 1, 2], asked: {} };
};

export const automations: MakeList = async (service, project) => {
  const api = service.management;
  const { make, path: url } = automationsOf(service, project);
  const made = await three(service, async (i) => (await make(sends(`https://hooks.example/${i}`))).id);
  return { api, url, made, first: [0, 1, 2], asked: {} };
};

export const sendOuts: MakeList = async (service, project) => {
  const api = service.management;
  const kinds = ["customer.created", "customer.updated", "voucher.created"];
  const made = await three(service, (i) =>
    aSendOut(service, project.id, {
      webhook_id: `wh_${i}`,
      type: kinds[i],
      status: i === 1 ? "FAILED" : "SUCCEEDED",
    }),
  );
  const asked = {
    ...paged(100),
    ...after(made[2]),
    ...between_created,
    "status=FAILED": [1],
    "status=SENT": refused("status"),
    "type=voucher.created": [2],
    "webhook_id=wh_0": [0],
  };
  return { api, url: `/management/v1/projects/${project.id}/send-outs`, made, first: newest_first, asked };
};

type Api = Parameters<MakeList>[1]["api"];

const newRule = async (api: Api, name: string): Promise<string> =>
  (await api.post("/v1/validation-rules", { name, rules: {} }, 200)).body.id;

async function assign(api: Api, rule: string, code: string): Promise<{ id: string; voucher: string }> {
  const voucher = await api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
  const to = { related_object_type: "voucher", related_object_id: voucher.body.id };
  const { id } = (await api.post(`/v1/validation-rules/${rule}/assignments`, to, 200)).body;
  return { id, voucher: voucher.body.id };
}

/** Behind the organization's owners, who have been in it longest. */
export const users: MakeList = async (service) => {
  service.clock.set(minute(0));
  const { id } = await service.anotherProject();
  const url = `/management/v1/projects/${id}/users`;
  const owners = (await service.management.get(url, 200)).body.total as number;
  const made = await three(service, async () => {
    const user = await aUser(service);
    await service.management.post(url, { id: user.id, role: "USER" }, 200);
    return user.id;
  });
  const asked = {
    [`limit=${owners + 1}`]: [0],
    "limit=0": refused("limit"),
    "limit=101": refused("limit"),
    [`limit=${owners + 1}&page=2`]: [1, 2].slice(0, owners + 1),
    "page=100": [],
    "page=101": refused("page"),
  };
  return { api: service.management, url, made, first: [0, 1, 2], asked };
};
