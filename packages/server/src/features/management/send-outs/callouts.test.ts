import { beforeEach, describe, expect, test, vi } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { someoneIn } from "../../people/people.fixtures.js";
import { putMember } from "../../projects/index.js";
import { automationsOf, sends } from "../automations/automation.fixtures.js";
import { aUser } from "../users/user.fixtures.js";
import { answering, aReceiver } from "./receiver.fixtures.js";
import { shopsOn } from "./shop.fixtures.js";

const service = await startService({ webhook_allow_private: true });
const { clock, context, management, runDue } = service;
const aShop = shopsOn(service);

interface Sent {
  to: string;
  subject: string;
  text: string;
}
/** Without a server to carry it, mail goes to the log. */
const logged = vi.spyOn(context.log, "info");
const mails = () => logged.mock.calls.map(([said]) => said as unknown as Sent).filter(({ to }) => to !== undefined);
beforeEach(() => void logged.mockClear());

const ann = "ann@shop.example";
const wants = ({ id }: { id: string }, webhooks_callout_notifications: object) =>
  management.put(`/management/v1/projects/${id}`, { webhooks_callout_notifications }, 200);

/** The times of all tries but the last; and the day that the last one takes. */
async function failForADay(): Promise<void> {
  const began = clock.now();
  for (const minutes of [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]) {
    clock.set(new Date(began + minutes * 60_000).toISOString());
    await runDue();
  }
  expect(mails()).toEqual([]);
  clock.set(new Date(began + 86_400_000).toISOString());
  await runDue();
}

describe("a webhook that goes off", () => {
  test("is told of by mail, once, to each who wants to hear of it, without what is secret in its address", async () => {
    const receiver = await aReceiver(answering(503));
    const shop = await aShop(`${receiver.url}?token=secret`);
    await wants(shop.project, { webhooks: { email: true, emails: [ann, "bea@shop.example"], in_app: false } });
    await shop.customer("Ann");
    await shop.customer("Bea");
    await failForADay();
    expect(await shop.isActive()).toBe(false);
    expect(
      mails()
        .map(({ to }) => to)
        .sort(),
    ).toEqual([ann, "bea@shop.example"]);
    const [{ subject, text } = { subject: "", text: "" }] = mails();
    expect(subject).toBe("test: a webhook was switched off");
    expect(text).toContain(`The webhook ${shop.webhook_id} of the project test (${shop.project.id})`);
    expect(text).toContain(`a message to ${receiver.url} could not be delivered`);
    expect(text).toContain("tried 13 times; the last time: answered 503");
    expect(text).not.toContain("secret");
    clock.advance({ days: 1 });
    await runDue();
    expect(mails()).toHaveLength(2);
  });

  test("is told to the administrators who can sign in where nobody is named, and to nobody where no mail is wanted", async () => {
    const receiver = await aReceiver(answering(500));
    const [shop, quiet] = [await aShop(receiver.url), await aShop(receiver.url)];
    const people = [
      await someoneIn(service, shop.project.id, "ADMIN"),
      await someoneIn(service, shop.project.id, "VIEWER"),
      await someoneIn(service, quiet.project.id, "ADMIN"),
    ];
    const stranger = await aUser(service);
    await context.db.transaction((tx) => putMember(tx, shop.project.id, stranger.id, "ADMIN", clock.now()));
    await wants(quiet.project, { webhooks: { email: false, emails: [ann], in_app: true } });
    await shop.customer("Ann");
    await quiet.customer("Ann");
    await failForADay();
    expect([await shop.isActive(), await quiet.isActive()]).toEqual([false, false]);
    // Whoever owns the organization by then is one of them as well.
    const asked = [...people.map(({ user }) => user.email), stranger.email, ann];
    const told = mails().map(({ to }) => to);
    expect(told.filter((to) => asked.includes(to))).toEqual([people[0]?.user.email]);
  });
});

test("an automation that goes off is told to those who want to hear of automations", async () => {
  const receiver = await aReceiver(answering(500));
  const project = await service.anotherProject();
  const { id } = await automationsOf(service, project).make(sends(receiver.url));
  await wants(project, {
    webhooks: { email: true, emails: ["bea@shop.example"], in_app: false },
    distributions: { email: true, emails: [ann], in_app: false },
  });
  await project.api.post("/v1/customers", { source_id: "cid" }, 200);
  await failForADay();
  expect(mails()).toMatchObject([{ to: ann, subject: "test: an automation was switched off" }]);
  expect(mails()[0]?.text).toContain(`The automation ${id}`);
});
