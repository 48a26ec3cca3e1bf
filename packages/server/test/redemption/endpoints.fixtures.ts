import { aStack, type Fields, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import type { Client } from "../harness/client.js";
import type { TestProject } from "../harness/service.js";

/** One operation of redemption.md §1, with names that exist: each may be asked once. */
export interface Endpoint {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  /** The OAuth scope beside `api`, or whose keys open it. */
  scope: "management" | (string & {});
  /** Undefined: it takes none. */
  body?: Fields;
  status: 200 | 204;
}

export const nameOf = ({ method, path }: Pick<Endpoint, "method" | "path">) => `${method} ${path}`;

const order = { amount: 10_000 };

/** What the table asks about, in this project. */
export async function endpointsOf({ api, id: project_id }: TestProject, management: Client): Promise<Endpoint[]> {
  await api.post("/v1/vouchers/FREE", off(100), 200);
  const { campaign_id, ids } = await tiersOf(api, [{}, {}]);
  const [tier, spare] = ids as [string, string];
  const stack = await aStack(api);
  const going = await aStack(api);
  const redemption = { redeemables: [{ object: "voucher", id: "FREE" }], order };
  const redeem = async () => (await api.post("/v1/redemptions", redemption, 200)).body.redemptions[0].id as string;
  const [first, second] = [await redeem(), await redeem()];
  await api.post("/v1/validations", { ...redemption, session: { type: "LOCK", key: "till" } }, 200);
  const rules_path = `/management/v1/projects/${project_id}/stacking-rules`;
  const { id: rules } = (await management.post(rules_path, { redeemables_limit: 30 }, 200)).body;
  const of = (scope: string, rows: [Endpoint["method"], string, Fields?, Endpoint["status"]?][]): Endpoint[] =>
    rows.map(([method, path, body, status = 200]) => ({ method, path, scope, status, ...(body && { body }) }));

  return [
    ...of("validations", [["POST", "/v1/validations", redemption]]),
    ...of("redemptions", [
      ["POST", "/v1/redemptions", redemption],
      ["GET", "/v1/redemptions"],
      ["GET", `/v1/redemptions/${first}`],
      ["POST", `/v1/redemptions/${first}/rollback`, {}],
      ["POST", `/v1/redemptions/${second}/rollbacks`, {}],
    ]),
    ...of("qualifications", [["POST", "/v1/qualifications", { order }]]),
    ...of("vouchers", [
      ["GET", "/v1/vouchers/FREE/redemption"],
      ["POST", "/v1/vouchers/FREE/redemption", { order }],
      ["POST", "/v1/vouchers/FREE/validate", { order }],
      ["POST", "/v1/vouchers/qualification", { order }],
      ["DELETE", "/v1/vouchers/FREE/sessions/till", undefined, 204],
    ]),
    ...of("campaigns", [["POST", "/v1/campaigns/qualification", { order }]]),
    ...of("promotions", [
      ["POST", "/v1/promotions/validation", { order }],
      ["POST", `/v1/promotions/tiers/${tier}/validation`, { order }],
      ["POST", `/v1/promotions/tiers/${tier}/redemption`, { order }],
      ["GET", `/v1/promotions/${campaign_id}/tiers`],
      ["POST", `/v1/promotions/${campaign_id}/tiers`, { name: "new", action: off(1) }],
      ["GET", "/v1/promotions/tiers"],
      ["GET", `/v1/promotions/tiers/${tier}`],
      ["PUT", `/v1/promotions/tiers/${tier}`, { name: "renamed" }],
      ["POST", `/v1/promotions/tiers/${tier}/disable`],
      ["POST", `/v1/promotions/tiers/${tier}/enable`],
      ["DELETE", `/v1/promotions/tiers/${spare}`, undefined, 204],
      ["GET", "/v1/promotions/stacks"],
      ["GET", `/v1/promotions/${stack.campaign_id}/stacks`],
      ["POST", `/v1/promotions/${stack.campaign_id}/stacks`, { name: "new", tiers: { ids: stack.tiers } }],
      ["GET", `/v1/promotions/${stack.campaign_id}/stacks/${stack.id}`],
      ["PUT", `/v1/promotions/${stack.campaign_id}/stacks/${stack.id}`, { name: "renamed" }],
      ["DELETE", `/v1/promotions/${going.campaign_id}/stacks/${going.id}`, undefined, 204],
    ]),
    ...of("management", [
      ["GET", rules_path],
      ["GET", `${rules_path}/${rules}`],
      ["PUT", `${rules_path}/${rules}`, { redeemables_limit: 20 }],
      ["DELETE", `${rules_path}/${rules}`, undefined, 204],
      ["POST", rules_path, { redeemables_limit: 30 }],
    ]),
  ];
}
