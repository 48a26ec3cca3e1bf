import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aBrowser, aSessionOf, someoneIn } from "../people/people.fixtures.js";
import { putMember } from "../projects/index.js";

const service = await startService();
const { project, clock, context } = service;
const { browser: own, user, token } = await someoneIn(service, project.id, "MERCHANT");
const nouns = ["views", "drafts"] as const;

describe.each(nouns)("%s", (noun) => {
  const all = `/dashboard/v1/${noun}`;
  const aPage = async (fields: object = {}) =>
    (await own.post(all, { page: "vouchers", name: "Gold", content: { status: "active" }, ...fields }, 200)).body;

  test("are kept, changed and thrown away by whoever made them, the latest change first", async () => {
    const first = await aPage({ page: `${noun}-first` });
    clock.advance({ minutes: 1 });
    const second = await aPage({ page: `${noun}-first`, name: "Silver" });
    clock.advance({ minutes: 1 });
    const { body } = await own.put(`${all}/${first.id}`, { content: { status: "expired" } }, 200);
    expect(body).toEqual({ ...first, content: { status: "expired" }, updated_at: new Date(clock.now()).toISOString() });
    expect((await own.get(`${all}/${first.id}`, 200)).body).toEqual(body);
    const listed = (await own.get(`${all}?page=${noun}-first`, 200)).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
    expect("content" in listed[0]).toBe(noun === "views");
    await own.delete(`${all}/${first.id}`, 204);
    await own.get(`${all}/${first.id}`, 404);
    await own.delete(`${all}/${first.id}`, 404);
  });

  test("are nobody else's, and of one project", async () => {
    const { id } = await aPage();
    const { browser: other } = await someoneIn(service, project.id, "ADMIN");
    const elsewhere = await service.anotherProject();
    await context.db.transaction((tx) => putMember(tx, elsewhere.id, user.id, "ADMIN", clock.now()));
    for (const stranger of [other, aBrowser(service, elsewhere.id, token)]) {
      expect((await stranger.get(all, 200)).body.data).toEqual([]);
      await stranger.get(`${all}/${id}`, 404);
      await stranger.put(`${all}/${id}`, { name: "mine" }, 404);
      await stranger.delete(`${all}/${id}`, 404);
    }
    await own.get(`${all}/${id}`, 200);
  });

  test("are only so large", async () => {
    const bytes_max = noun === "views" ? 8_192 : 262_144;
    const sized = (bytes: number) => ({ t: "x".repeat(bytes - 8) });
    const { id } = await aPage({ content: sized(bytes_max) });
    for (const path of [all, `${all}/${id}`]) {
      const send = path === all ? own.post : own.put;
      const { body } = await send(path, { page: "p", name: "n", content: sized(bytes_max + 1) }, 400);
      expect(body.details).toBe(`Property .content must not be larger than ${bytes_max} bytes`);
    }
  });

  test("no more than there may be are made at once", async () => {
    const { browser } = await someoneIn(service, project.id, "USER");
    const count_max = noun === "views" ? 100 : 50;
    const add = () => browser.post(all, { page: "p", name: "n", content: {} });
    const answers = await Promise.all(Array.from({ length: count_max + 3 }, add));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
  });
});

test("a draft that nobody has gone on with for ninety days is over; views stay", async () => {
  const { user } = await someoneIn(service, project.id, "USER");
  const signedIn = async () => aBrowser(service, project.id, await aSessionOf(service, user.id));
  const first = await signedIn();
  const fields = { page: "campaigns/new/coupons", name: "Spring", content: {} };
  const made = async (noun: string) => (await first.post(`/dashboard/v1/${noun}`, fields, 200)).body.id;
  const [left, gone_on_with, view] = [await made("drafts"), await made("drafts"), await made("views")];
  clock.advance({ days: 89 });
  await (await signedIn()).put(`/dashboard/v1/drafts/${gone_on_with}`, { name: "Spring sale" }, 200);
  clock.advance({ days: 1, minutes: 1 });
  const last = await signedIn();
  // The purge has not come yet.
  await last.get(`/dashboard/v1/drafts/${left}`, 404);
  expect((await last.get("/dashboard/v1/drafts", 200)).body.data).toHaveLength(1);
  await last.get(`/dashboard/v1/drafts/${gone_on_with}`, 200);
  await last.get(`/dashboard/v1/views/${view}`, 200);
  await service.runDue();
  const rows = await context.db.many<{ id: string }>(sql`
    select kept_pages.id from kept_pages
     where kept_pages.project_id = ${project.id} and kept_pages.user_id = ${user.id} order by kept_pages.kind`);
  expect(rows.map(({ id }) => id)).toEqual([gone_on_with, view]);
});
