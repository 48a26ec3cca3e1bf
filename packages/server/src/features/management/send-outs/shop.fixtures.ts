import type { TestService } from "../../../../test/harness/service.js";

/** Makes projects with a webhook that goes to a receiver. */
export const shopsOn =
  ({ management, anotherProject }: TestService) =>
  async (target_url: string, events: string[] = ["customer.created"]) => {
    const project = await anotherProject();
    const path = `/management/v1/projects/${project.id}/webhooks`;
    const aWebhook = async (url: string, of: string[] = events) =>
      (await management.post(path, { target_url: url, events: of }, 200)).body.id as string;
    const webhook_id = await aWebhook(target_url);
    const { webhook_token } = (await management.get(`/management/v1/projects/${project.id}`, 200)).body;
    return {
      project,
      webhook_id,
      webhook_token: webhook_token as string,
      aWebhook,
      path: `${path}/${webhook_id}`,
      isActive: async () => (await management.get(`${path}/${webhook_id}`, 200)).body.active as boolean,
      change: (fields: object) => management.put(`${path}/${webhook_id}`, { target_url, events, ...fields }, 200),
      customer: async (name: string) => (await project.api.post("/v1/customers", { name }, 200)).body,
    };
  };
