import { expect } from "vitest";
import type { Client } from "../../../test/harness/client.js";
import { uniqueText } from "../../../test/harness/resources.js";
import type { TestProject, TestService } from "../../../test/harness/service.js";
import { isoOf } from "../../platform/clock.js";
import { sql } from "../../platform/db/sql.js";

type Fields = Record<string, unknown>;

const discount = { type: "AMOUNT", amount_off: 1000 };

/** A project with one referral campaign, and what its people do. */
export async function aReferralShop(service: TestService, fields: Fields = {}, own?: Pick<TestProject, "id" | "api">) {
  const project = own ?? (await service.anotherProject());
  const { api } = project;
  const named = { name: uniqueText("Friends"), campaign_type: "REFERRAL_PROGRAM", voucher: { discount }, ...fields };
  const campaign = (await api.post("/v1/campaigns", named, 200)).body;

  const customer = async (word = "Ann") => {
    const { id, source_id } = (await api.post("/v1/customers", { source_id: uniqueText(word) }, 200)).body;
    return { id: id as string, source_id: source_id as string };
  };
  /** A code of somebody's: of a new customer unless one is given. */
  const code = async (referrer?: { id: string }, of = campaign.id) => {
    const { id } = referrer ?? (await customer("referrer"));
    const { body } = await api.post("/v1/publications", { campaign: { name: of }, customer: { id } }, 200);
    return { id: body.voucher.id as string, code: body.voucher.code as string, referrer_id: id };
  };
  const redeem = async (code: string, { id }: { id: string }, status = 200) => {
    const redeemables = [{ object: "voucher", id: code }];
    return (await api.post("/v1/redemptions", { redeemables, customer: { id }, order: { amount: 5000 } }, status)).body;
  };
  const holders = async (code: string): Promise<Fields[]> =>
    (await api.get(`/v1/referrals/members/${code}/holders?limit=100&order=id`, 200)).body.data;
  const referees = async (code: string) =>
    (await holders(code)).filter(({ holder_role }) => holder_role === "REFEREE").map(({ customer_id }) => customer_id);
  const read = async ({ id }: { id: string }) => (await api.get(`/v1/customers/${id}`, 200)).body;
  const activityOf = async ({ id }: { id: string }): Promise<{ type: string; data: { data: Fields } }[]> =>
    (await api.get(`/v1/customers/${id}/activity?limit=100`, 200)).body.data;

  return { project, api, campaign, customer, code, redeem, holders, referees, read, activityOf };
}

/** A custom event that a project knows. */
export async function anEventOf({ post }: Client, { id }: Pick<TestProject, "id">) {
  const path = `/management/v1/projects/${id}/custom-event-schemas`;
  const { body } = await post(path, { name: uniqueText("event"), schema: { properties: {} } }, 200);
  return { id: body.id as string, name: body.name as string };
}

const heard_by = {
  referrals: ["redemption.succeeded", "customer.custom_event"],
  "referral rewards": ["customer.referred"],
};

/** Hands each event of a project out again to a consumer of ours, as whoever dies before it is noted would. */
export const handOutAgain = (
  { context, clock }: TestService,
  { id }: Pick<TestProject, "id">,
  consumer: keyof typeof heard_by,
) =>
  context.db.run(sql`
    insert into inbox (project_id, consumer, event_id, created_at, due_at)
    select events.project_id, ${consumer}, events.id, events.created_at, ${isoOf(clock.now())}::timestamptz
      from events where events.project_id = ${id} and events.type = any(${heard_by[consumer]}::text[])`);

export const rh = expect.stringMatching(/^rh_/);
