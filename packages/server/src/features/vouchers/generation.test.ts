import { ALWAYS, type CodeConfig } from "@guerdon/engine";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { lockKeys } from "../../platform/db/locks.js";
import { sql } from "../../platform/db/sql.js";
import { findProject } from "../projects/index.js";
import { generateVouchers, generationKeys } from "./generation.js";
import type { NewVoucher } from "./voucher.js";

const { api, context, project: own, clock, anotherProject } = await startService();

const gift_of_five: NewVoucher = {
  ...ALWAYS,
  campaign_id: null,
  type: "GIFT_VOUCHER",
  discount: null,
  gift: { amount: 500, effect: "APPLY_TO_ORDER" },
  loyalty_card: null,
  quantity: null,
  category_id: null,
  active: true,
  additional_info: null,
  metadata: {},
  is_referral_code: false,
};

async function generate(count: number, code_config: CodeConfig, made: Partial<NewVoucher> = {}, project_id = own.id) {
  const project = await findProject(context.db, project_id);
  if (!project) throw new Error("the project is gone");
  const generation = { project, made: { ...gift_of_five, ...made }, code_config, instant: clock.now() };
  return context.db.transaction(async (tx) => {
    await lockKeys(tx, generationKeys(project, generation.made.campaign_id, code_config));
    return generateVouchers(tx, generation, count);
  });
}

const wide: CodeConfig = { length: 10, charset: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", pattern: "##########" };
const numbered = (prefix: string, length: number): CodeConfig => ({
  length,
  charset: "0123456789",
  prefix,
  pattern: "#".repeat(length),
});

describe("a generation", () => {
  test("of 2,000 codes writes cards with their balances and counts them for the campaign", async () => {
    const counted = { name: "Counted", voucher: { gift: { amount: 500 } } };
    const campaign_id = (await api.post("/v1/campaigns", counted, 200)).body.id;
    const made = await generate(2000, wide, { campaign_id });
    expect(new Set(made.map(({ code_key }) => code_key)).size).toBe(2000);
    const written = await context.db.one(sql`
      select count(*) as vouchers, sum(card_balances.balance)::bigint as balance,
             (select sum(campaign_voucher_counts.vouchers_count)::bigint from campaign_voucher_counts
               where campaign_voucher_counts.project_id = ${own.id}
                 and campaign_voucher_counts.campaign_id = ${campaign_id}) as counted
        from vouchers
        join card_balances on card_balances.project_id = vouchers.project_id and card_balances.voucher_id = vouchers.id
       where vouchers.project_id = ${own.id} and vouchers.campaign_id = ${campaign_id}`);
    expect(written).toEqual({ vouchers: 2000, balance: 1_000_000, counted: 2000 });
  });

  test("takes the last free code of a space, and then no more", async () => {
    const config = numbered("ALL-", 3);
    expect((await generate(999, config)).length).toBe(999);
    expect((await generate(1, config)).length).toBe(1);
    expect(await generate(1, config)).toEqual([]);
  });

  test("that asks for more than is free makes what there is", async () => {
    const config = numbered("SOME-", 2);
    await generate(60, config);
    const made = await generate(60, config);
    expect(made.length).toBe(40);
    expect(new Set(made.map(({ code }) => code)).size).toBe(40);
  });

  test("of one code beside eleven others gives 12 requests 12 codes out of 12", async () => {
    const config: CodeConfig = { length: 1, charset: "ABCDEFGHIJKL", prefix: "RACE-", pattern: "#" };
    const made = (await Promise.all(Array.from({ length: 12 }, () => generate(1, config)))).flat();
    expect(made.map(({ code }) => code).sort()).toEqual([..."ABCDEFGHIJKL"].map((letter) => `RACE-${letter}`));
  });

  test("in slices at once fills a space of 10,000 without a code twice", async () => {
    const config = numbered("SLICE-", 4);
    const slices = await Promise.all(Array.from({ length: 5 }, () => generate(2000, config)));
    expect(new Set(slices.flat().map(({ code }) => code)).size).toBe(10_000);
  });

  test("looks through a space of many parts for its last free codes", async () => {
    const config = numbered("PARTS-", 5);
    await context.db.run(sql`
      insert into vouchers (project_id, id, code, code_key, type, metadata, created_at)
      select ${own.id}, 'v_parts_' || number, code, code, 'DISCOUNT_VOUCHER', '{}', '2026-01-01'
        from generate_series(0, 99999) as number, lateral (select 'PARTS-' || lpad(number::text, 5, '0') as code) as made
       where number % 33333 <> 7`);
    const made = await generate(9, config);
    expect(made.map(({ code }) => code).sort()).toEqual(["PARTS-00007", "PARTS-33340", "PARTS-66673"]);
  });

  test("compares folded codes in a project without case", async () => {
    const folded = await anotherProject({ case_sensitive_codes: false });
    const config: CodeConfig = { length: 1, charset: "abAB", pattern: "#" };
    const made = await generate(4, config, {}, folded.id);
    expect(made.map(({ code_key }) => code_key).sort()).toEqual(["a", "b"]);
  });

  test("leaves other projects' codes alone", async () => {
    const other = await anotherProject();
    const config = numbered("TEN-", 1);
    expect((await generate(10, config)).length).toBe(10);
    expect((await generate(10, config, {}, other.id)).length).toBe(10);
  });
});
