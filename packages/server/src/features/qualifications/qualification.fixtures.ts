import type { TestService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import type { QualificationAnswer } from "./qualification.schemas.js";

let made = 0;
const named = (what: string) => `${what} ${++made}`;

type Answer = QualificationAnswer["redeemables"];

/** Makes projects of their own, with what fills them. */
export const shopsOf = (service: TestService) => () => aShop(service);

/** Whatever is made is a second younger than what was made before. */
async function aShop({ anotherProject, clock, context }: TestService) {
  const { api, id: project_id } = await anotherProject();
  const create = async (path: string, body: object) => {
    clock.advance({ ms: 1000 });
    return (await api.post(path, body, 200)).body;
  };
  /** Gives a code to a customer, as a publication does. */
  const give = async (voucher_id: string, customer_id: string) => {
    await context.db.run(sql`
      update vouchers set holder_id = ${customer_id}, publish_count = 1
       where vouchers.project_id = ${project_id} and vouchers.id = ${voucher_id}`);
    await context.db.run(sql`
      insert into voucher_holders (project_id, id, voucher_id, customer_id, role, created_at)
      values (${project_id}, ${`rh_${voucher_id.slice(2)}`}, ${voucher_id}, ${customer_id}, 'OWNER',
              ${new Date(clock.now()).toISOString()})`);
  };
  const qualify = async (body: object): Promise<Answer> =>
    (await api.post("/v1/qualifications", { order: { amount: 10_000 }, ...body }, 200)).body.redeemables;
  const found = async (body: object) => (await qualify(body)).data.map(({ id }) => id);

  return {
    api,
    project_id,
    qualify,
    /** Changes something, later than whatever was made. */
    async edit(path: string, body: object) {
      clock.advance({ ms: 1000 });
      await api.put(path, body, 200);
    },
    /** What is found, by codes and ids. */
    found,
    /** All pages, by cursor. */
    async walk(body: { options: object }): Promise<string[]> {
      const ids: string[] = [];
      for (let starting_after: string | undefined, pages = 0; pages < 50; pages += 1) {
        const page = await qualify({ ...body, options: { ...body.options, starting_after } });
        ids.push(...page.data.map(({ id }) => id));
        if (!page.has_more) return ids;
        starting_after = page.more_starting_after;
      }
      throw new Error("the pages do not end");
    },
    leaf: (name: string, conditions: object, more: object = {}) => ({ name, conditions, ...more }),
    rule: async (rules: object, more: object = {}): Promise<string> =>
      (await create("/v1/validation-rules", { name: named("rule"), rules, ...more })).id,
    segment: async (fields: object = { type: "static", customers: [] }): Promise<string> =>
      (await create("/v1/segments", { name: named("segment"), ...fields })).id,
    customer: async (fields: object = {}): Promise<string> =>
      (await create("/v1/customers", { source_id: named("customer"), ...fields })).id,
    /** A promotion campaign with a tier for each discount; the rule holds for all of them. */
    async tiers(discounts: readonly object[], rule?: string, fields: object = {}): Promise<string[]> {
      const tiers = discounts.map((discount, i) => ({
        name: `tier ${i + 1}`,
        action: { discount: { type: "AMOUNT", ...discount } },
        ...(rule ? { validation_rules: [rule] } : {}),
        ...fields,
      }));
      const body = { name: named("campaign"), campaign_type: "PROMOTION", promotion: { tiers } };
      return (await create("/v1/campaigns", body)).promotion.tiers.map(({ id }: { id: string }) => id);
    },
    /** A stack of a new campaign's tiers, one for each discount; answers its id and theirs. */
    async stack(discounts: readonly object[], rules: readonly (string | undefined)[] = []) {
      const tiers = discounts.map((discount, i) => ({
        name: `tier ${i + 1}`,
        action: { discount: { type: "AMOUNT", ...discount } },
        ...(rules[i] ? { validation_rules: [rules[i]] } : {}),
      }));
      const body = { name: named("campaign"), campaign_type: "PROMOTION", promotion: { tiers } };
      const campaign = await create("/v1/campaigns", body);
      const ids: string[] = campaign.promotion.tiers.map(({ id }: { id: string }) => id);
      const stack = { name: named("stack"), tiers: { ids, hierarchy_mode: "MANUAL" } };
      return { id: (await create(`/v1/promotions/${campaign.id}/stacks`, stack)).id as string, tiers: ids };
    },
    /** A code without a campaign; answers the code. */
    async code(discount: object = {}, fields: object = {}, holder?: string): Promise<string> {
      const body = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100, ...discount }, ...fields };
      const voucher = await create("/v1/vouchers", body);
      if (holder) await give(voucher.id, holder);
      return voucher.code;
    },
    /** A campaign whose codes are given out one by one; answers its id. */
    campaign: async (fields: object = {}): Promise<string> =>
      (
        await create("/v1/campaigns", {
          name: named("campaign"),
          campaign_type: "DISCOUNT_COUPONS",
          type: "AUTO_UPDATE",
          voucher: { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } },
          ...fields,
        })
      ).id,
    /** One more code of a campaign. */
    async codeOf(campaign_id: string, holder?: string): Promise<string> {
      const code = named("CODE").replace(" ", "-");
      const voucher = await create(`/v1/campaigns/${campaign_id}/vouchers/${code}`, {});
      if (holder) await give(voucher.id, holder);
      return code;
    },
    /** The one code of a campaign that has one alone. */
    async generic(fields: { voucher?: object } & object = {}): Promise<string> {
      const { voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } } } = fields;
      const campaign = { name: named("campaign"), campaign_type: "DISCOUNT_COUPONS", type: "STANDALONE" };
      const { id } = await create("/v1/campaigns", { ...campaign, ...fields, voucher });
      const code = named("GENERIC").replace(" ", "-");
      await create("/v1/vouchers", { ...voucher, code, campaign_id: id });
      return code;
    },
    /** A member of a new loyalty program. */
    async member(points: number): Promise<{ customer: string; code: string }> {
      const voucher = { type: "LOYALTY_CARD", loyalty_card: { points } };
      const { id } = await create("/v1/campaigns", {
        name: named("program"),
        campaign_type: "LOYALTY_PROGRAM",
        voucher,
      });
      const card = await create(`/v1/loyalties/${id}/members`, { customer: { source_id: named("member") } });
      return { customer: card.holder_id, code: card.code };
    },
    redeem: (code: string) =>
      api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order: { amount: 10_000 } }, 200),
  };
}
