import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { answering, aReceiver } from "../../management/send-outs/receiver.fixtures.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService({ webhook_allow_private: true });
const { management, runDue, clock } = service;
const at = "/dashboard/v1/webhook-secret";

test("a new secret signs what is sent from then on, and what is tried again, of its own project alone", async () => {
  const [project, other] = [await service.anotherProject(), await service.anotherProject()];
  const tokenOf = async ({ id }: { id: string }) =>
    (await management.get(`/management/v1/projects/${id}`, 200)).body.webhook_token as string;
  const [before, of_other] = [await tokenOf(project), await tokenOf(other)];
  const receiver = await aReceiver(answering(500));
  const webhook = { target_url: receiver.url, events: ["customer.created"] };
  await management.post(`/management/v1/projects/${project.id}/webhooks`, webhook, 200);
  await project.api.post("/v1/customers", { source_id: "ada" }, 200);
  await runDue();

  const { browser } = await someoneIn(service, project.id, "ADMIN");
  const { webhook_token } = (await browser.post(at, undefined, 200)).body;
  expect(webhook_token).not.toBe(before);
  expect([await tokenOf(project), await tokenOf(other)]).toEqual([webhook_token, of_other]);

  receiver.answers(answering(200));
  clock.advance({ minutes: 1 });
  await runDue();
  const signed = receiver.received.map(({ text, headers }) =>
    [before, webhook_token].findIndex(
      (token) => createHmac("sha256", token).update(text).digest("hex") === headers["x-voucherify-signature"],
    ),
  );
  expect(signed).toEqual([0, 1]);
});

test.each(["USER", "VIEWER", "MERCHANT"] as const)("a %s makes no new secret", async (role) => {
  const { id } = await service.anotherProject();
  const { browser } = await someoneIn(service, id, role);
  await browser.post(at, undefined, 403);
});
