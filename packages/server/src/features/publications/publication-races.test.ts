import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aName } from "../loyalties/loyalty.fixtures.js";
import { drawNextVouchers } from "./next-vouchers.store.js";
import { aCampaign } from "./publication.fixtures.js";

const service = await startService();
const { api, context, project, runDue } = service;

describe("publications at once", () => {
  const aPool = async (vouchers_count: number, fields: Record<string, unknown> = {}) => {
    const campaign = await aCampaign(api, { fields: { type: "STATIC", vouchers_count, ...fields } });
    await runDue();
    return campaign;
  };

  test("64 parallel requests for 48 codes give each code to one customer, and refuse the rest", async () => {
    const { name } = await aPool(48);
    const answers = await Promise.all(
      Array.from({ length: 64 }, () =>
        api.post("/v1/publications", { campaign: { name }, customer: { source_id: aName("rush") } }),
      ),
    );
    const given = answers.filter(({ status }) => status === 200).map(({ body }) => body.voucher.code);
    expect([given.length, new Set(given).size]).toEqual([48, 48]);
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.key);
    expect(new Set(refused)).toEqual(new Set(["no_voucher_suitable_for_publication"]));
    expect((await api.get(`/v1/publications?campaign=${name}`, 200)).body.total).toBe(48);
  });

  test("several codes at once are several of their own, whoever asks beside", async () => {
    const { name } = await aPool(40);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.post("/v1/publications", { campaign: { name, count: 3 }, customer: { source_id: aName("rush") } }),
      ),
    );
    const given = answers.flatMap(({ status, body }) => (status === 200 ? body.vouchers : []));
    expect([given.length, new Set(given).size]).toEqual([39, 39]);
  });

  test("32 parallel requests under one source id make one publication", async () => {
    const { name } = await aPool(40);
    const sent = { campaign: { name }, customer: { source_id: aName("eager") }, source_id: aName("p") };
    const answers = await Promise.all(Array.from({ length: 32 }, () => api.post("/v1/publications", sent, 200)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test("32 parallel requests where the codes run out make 32, each for one", async () => {
    const code_config = { length: 2, charset: "0123456789" };
    const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 1 }, code_config };
    const { id, name } = await aCampaign(api, { fields: { voucher } });
    const answers = await Promise.all(
      Array.from({ length: 32 }, () =>
        api.post("/v1/publications", { campaign: { name }, customer: { source_id: aName("rush") } }, 200),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.voucher.code)).size).toBe(32);
    expect((await api.get(`/v1/campaigns/${id}`, 200)).body.vouchers_count).toBe(32);
  });
});

test("whoever publishes waits for no neighbour: it takes the code behind theirs, and codes that were not given in the end come next", async () => {
  const { id, name } = await aCampaign(api, { fields: { type: "STATIC", vouchers_count: 200 } });
  await runDue();
  const codes = async () =>
    (
      await context.db.many<{ id: string; code: string }>(sql`
        select vouchers.id, vouchers.code from vouchers
         where vouchers.project_id = ${project.id} and vouchers.campaign_id = ${id}
         order by vouchers.created_at, vouchers.id limit 3`)
    ).map(({ code }) => code);
  const published = async () => {
    const sent = { campaign: { name }, customer: { source_id: aName("c") } };
    return (await api.post("/v1/publications", sent, 200)).body.voucher.code;
  };
  const [first, second, third] = await codes();
  const undone = context.db.transaction(async (tx) => {
    await drawNextVouchers(tx, project.id, id, { count: 1, is_growing: false });
    expect(await published()).toBe(second);
    throw new Error("undone");
  }, project.id);
  await expect(undone).rejects.toThrow("undone");
  expect([await published(), await published()]).toEqual([first, third]);
});

test("a space of codes that runs out under a request for several leaves none of them behind", async () => {
  const code_config = { length: 1, charset: "abc", prefix: aName("few") };
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 1 }, code_config };
  const { id, name } = await aCampaign(api, { fields: { voucher } });
  const sent = { campaign: { name, count: 4 }, customer: { source_id: aName("c") } };
  expect((await api.post("/v1/publications", sent, 400)).body.key).toBe("no_voucher_suitable_for_publication");
  expect((await api.get(`/v1/campaigns/${id}`, 200)).body.vouchers_count).toBe(0);
  const { vouchers } = await context.db.one<{ vouchers: number }>(sql`
    select count(*) as vouchers from vouchers
     where vouchers.project_id = ${project.id} and vouchers.campaign_id = ${id}`);
  expect(vouchers).toBe(0);
});
