import { uniqueText } from "../../../../test/harness/resources.js";
import type { TestProject, TestService } from "../../../../test/harness/service.js";
import { aReceiver } from "../send-outs/receiver.fixtures.js";

/** What an automation is made of, where a test says nothing else. */
export const sends = (target_url: string, fields: object = {}) => ({
  name: uniqueText("automation"),
  trigger: { event: "customer.created" },
  action: { type: "SEND" },
  channel: { type: "webhook", event_name: "welcome", target_url },
  ...fields,
});

/** What a project's automations are made, read and switched by. */
export function automationsOf({ management }: Pick<TestService, "management">, { id }: Pick<TestProject, "id">) {
  const path = `/management/v1/projects/${id}/automations`;
  return {
    path,
    make: async (fields: object) => (await management.post(path, fields, 200)).body,
    read: async (one: string) => (await management.get(`${path}/${one}`, 200)).body,
    change: async (one: string, fields: object) => (await management.put(`${path}/${one}`, fields, 200)).body,
    refused: async (fields: object, status = 400) => (await management.post(path, fields, status)).body,
  };
}

/** A campaign with so many codes, or that makes them on demand. */
export async function aCampaign({ api }: TestProject, fields: object = {}): Promise<{ id: string; name: string }> {
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  const made = { name: uniqueText("campaign"), campaign_type: "DISCOUNT_COUPONS", type: "AUTO_UPDATE", voucher };
  return (await api.post("/v1/campaigns", { ...made, ...fields }, 200)).body;
}

/** Makes shops: a project, a server that its messages go to, and what is done there. */
export const shopsOn = (service: TestService) => async () => {
  const project = await service.anotherProject();
  const receiver = await aReceiver();
  const { api } = project;
  return {
    ...automationsOf(service, project),
    project,
    api,
    receiver,
    customer: async (fields: object = {}) =>
      (await api.post("/v1/customers", { source_id: uniqueText("customer"), ...fields }, 200)).body,
    publications: async () => (await api.get("/v1/publications?order=created_at", 200)).body.publications,
    activityOf: async ({ id }: { id: string }): Promise<string[]> =>
      (await api.get(`/v1/customers/${id}/activity?limit=50`, 200)).body.data.map(({ type }: { type: string }) => type),
  };
};
