import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { management, project } = await startService();
const path = `/management/v1/projects/${project.id}`;
const of = (emails: string[]) => ({ email: true, emails, in_app: true });
const use = (emails: string[]) => ({ value: 50, emails, in_app: false, enabled: true });

test.each([
  [
    { webhooks_callout_notifications: { distributions: of(["ann@shop.example", "ann"]) } },
    "Property .webhooks_callout_notifications.distributions.emails[1] must be an e-mail address",
  ],
  [
    { api_usage_notifications: { api_calls: use(["a@b, c@d"]) } },
    "Property .api_usage_notifications.api_calls.emails[0] must be an e-mail address",
  ],
])("whoever is to be told by mail has one address: %j is refused, and nothing is changed", async (sent, details) => {
  const before = (await management.get(path, 200)).body;
  const { body } = await management.put(path, { name: "Another", ...sent }, 400);
  expect(body).toMatchObject({ key: "invalid_payload", details });
  expect((await management.get(path, 200)).body).toEqual(before);
});

test("what nobody is told of is neither looked at nor kept", async () => {
  const before = (await management.get(path, 200)).body;
  const sent = {
    webhooks_callout_notifications: { pigeons: {}, distributions: of([]) },
    api_usage_notifications: { pigeons: { emails: 1 }, redemptions: use([]) },
  };
  const { body } = await management.put(path, sent, 200);
  expect(body).toEqual({
    ...before,
    webhooks_callout_notifications: { ...before.webhooks_callout_notifications, distributions: of([]) },
  });
});
