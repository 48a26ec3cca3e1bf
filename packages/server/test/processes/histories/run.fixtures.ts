import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "../../harness/client.js";
import { main_of_modules, scratch } from "../../harness/process.js";
import { aCluster, type Cluster } from "../async.fixtures.js";
import type { History, Names, Stored } from "./check.fixtures.js";
import type { Asking, Note } from "./order.fixtures.js";
import { type CampaignName, campaigns, customers, type Operation, planOf, vouchers } from "./plan.fixtures.js";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const management = { GUERDON_MANAGEMENT_ID: "management", GUERDON_MANAGEMENT_TOKEN: "management-token" };

/** A database for histories, whose transactions draw numbers. */
export async function aHistoryCluster(): Promise<Cluster> {
  const cluster = await aCluster();
  await cluster.db.query("create sequence history_numbers");
  return cluster;
}

/** What can be wrong on purpose: `observed/doubles.mjs` knows them. */
export const faults = ["reads before the lock", "no lock", "a batch twice"] as const;
export type Fault = (typeof faults)[number];

/** Two servers that note in which order they hold their keys. */
export interface Pair {
  urls: string[];
  /** What they have noted since they were asked last. */
  notes(): Note[];
  /** From now on something is wrong with both. */
  haveFault(fault: Fault): void;
}

export async function startPair(cluster: Cluster): Promise<Pair> {
  const folder = scratch();
  const fault_file = join(folder, "fault");
  writeFileSync(fault_file, "");
  const files = [0, 1].map((node) => join(folder, `notes-${node}.jsonl`));
  const services = await Promise.all(
    files.map((file) =>
      cluster.service(
        {
          ...management,
          NODE_OPTIONS: `--import=${new URL("observed/register.mjs", import.meta.url).href}`,
          HISTORY_NOTES: file,
          HISTORY_FAULT: fault_file,
        },
        main_of_modules,
      ),
    ),
  );
  return {
    urls: services.map(({ url }) => url),
    notes() {
      const notes = files.flatMap(linesOf<Note>);
      for (const file of files) writeFileSync(file, "");
      return notes;
    },
    haveFault: (fault) => writeFileSync(fault_file, fault),
  };
}

function linesOf<Line>(file: string): Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line) => (line === "" ? [] : (JSON.parse(line) as Line)));
}

interface Shape {
  seed: number;
  operations: number;
  /** Processes, and what each of them does at once. */
  clients: number;
  lanes: number;
}

/** A new shop in a project of its own, what its clients did to it, and what is left of it. */
export async function runHistory(cluster: Cluster, pair: Pair, shape: Shape): Promise<History> {
  const shop = await openShop(pair);
  const lanes = planOf(shape.seed, shape.clients * shape.lanes, shape.operations);
  const files = await Promise.all(
    Array.from({ length: shape.clients }, (_, client) => {
      const own = lanes.flatMap((plan, lane) => (lane % shape.clients === client ? [{ lane, plan }] : []));
      return runClient({
        urls: pair.urls,
        headers: shop.headers,
        rules: shop.rules,
        campaigns: shop.names.campaigns,
        lanes: own,
      });
    }),
  );
  const askings = files.flatMap(linesOf<Asking>);
  return { askings, notes: pair.notes(), names: shop.names, stored: await storedOf(cluster, shop) };
}

async function runClient(
  task: { lanes: { lane: number; plan: Operation[] }[] } & Record<string, unknown>,
): Promise<string> {
  const folder = scratch();
  const file = join(folder, "answers.jsonl");
  writeFileSync(join(folder, "task.json"), JSON.stringify({ ...task, file }));
  const client = fork(here("client.mjs"), [join(folder, "task.json")], { execArgv: [] });
  const [code] = await once(client, "exit");
  if (code !== 0) throw new Error(`a client ended with ${code}`);
  return file;
}

interface OpenShop {
  project_id: string;
  headers: Record<string, string>;
  rules: Record<string, { id: string; name: string }>;
  names: Names;
}

async function openShop({ urls: [url = ""] }: Pair): Promise<OpenShop> {
  const manager = createClient(url, { "x-management-id": "management", "x-management-token": "management-token" });
  const project = (await manager.post("/management/v1/projects", { name: "history" }, 200)).body;
  const credentials = { "x-app-id": project.server_side_key.app_id, "x-app-token": project.server_side_key.app_token };
  const api = createClient(url, credentials);
  const names = Object.keys(campaigns) as CampaignName[];
  const made = await Promise.all(names.map((name) => aLimitedCampaign(api, name)));
  await Promise.all(Object.keys(vouchers).map((code) => aVoucher(api, code)));
  const known = await Promise.all(customers.map((source_id) => api.post("/v1/customers", { source_id }, 200)));
  return {
    project_id: project.id,
    headers: { ...credentials, "content-type": "application/json" },
    rules: Object.fromEntries(made.map(({ rule }, i) => [names[i], rule])),
    names: {
      campaigns: Object.fromEntries(made.map(({ id }, i) => [names[i], id])) as Names["campaigns"],
      customers: Object.fromEntries(known.map(({ body }, i) => [customers[i], body.id])),
    },
  };
}

/** A campaign, and the rule that some lane will assign to it. */
async function aLimitedCampaign(api: Client, name: CampaignName) {
  const { limit, bounds } = campaigns[name];
  const rules = { "1": { name: limit, conditions: { $less_than_or_equal: [bounds[1]] } }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name, rules }, 200)).body;
  const gift = name === "CREDITS";
  const voucher = gift
    ? { type: "GIFT_VOUCHER", gift: { amount: 1 } }
    : { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 1 } };
  const campaign_type = gift ? "GIFT_VOUCHERS" : "DISCOUNT_COUPONS";
  const { id } = (await api.post("/v1/campaigns", { name, campaign_type, voucher }, 200)).body;
  return { id, rule: { id: rule.id as string, name: limit } };
}

async function aVoucher(api: Client, code: string): Promise<void> {
  const { campaign, amount_off, balance, quantity } = vouchers[code] as (typeof vouchers)[string];
  const is_card = amount_off === null;
  await api.post(
    `/v1/vouchers/${code}`,
    {
      type: is_card ? "GIFT_VOUCHER" : "DISCOUNT_VOUCHER",
      ...(is_card ? { gift: { amount: balance } } : { discount: { type: "AMOUNT", amount_off } }),
      ...(quantity === null ? {} : { redemption: { quantity } }),
      ...(campaign === null ? {} : { campaign }),
    },
    200,
  );
}

async function storedOf({ db }: Cluster, { project_id, names }: OpenShop): Promise<Stored> {
  const all = async (text: string) => (await db.query(text, [project_id])).rows;
  const campaign_of = new Map(Object.entries(names.campaigns).map(([name, id]) => [id, name]));
  const stored_vouchers = await all(`
    select vouchers.code, coalesce(vouchers.active, true) as active, coalesce(voucher_usage.redeemed_quantity, 0)::int as redeemed,
           card_balances.balance::int as balance,
           coalesce((select json_agg(json_build_array(session_key, credits) order by session_key) from voucher_sessions
                      where voucher_sessions.project_id = $1 and voucher_sessions.voucher_id = vouchers.id), '[]') as sessions
      from vouchers
      left join voucher_usage on voucher_usage.project_id = $1 and voucher_usage.voucher_id = vouchers.id
      left join card_balances on card_balances.project_id = $1 and card_balances.voucher_id = vouchers.id
     where vouchers.project_id = $1`);
  const days = await all(`
    select object_id, sum(redemptions)::int as redemptions, sum(orders_amount)::int as orders_amount,
           sum(discount_amount)::int as discount_amount, sum(gift_credits)::int as gift_credits
      from usage_days where project_id = $1 group by object_id`);
  const redemptions = await all("select id, object, result, status from redemptions where project_id = $1 order by id");
  const idsOf = (status: string) =>
    redemptions.flatMap(({ id, ...row }) => (row.object === "redemption" && row.status === status ? [id] : [])).sort();
  const nothing = { redemptions: 0, orders_amount: 0, discount_amount: 0, gift_credits: 0 };
  return {
    vouchers: Object.fromEntries(stored_vouchers.map(({ code, ...row }) => [code, row])),
    campaigns: {
      ...Object.fromEntries(Object.keys(campaigns).map((name) => [name, nothing])),
      ...Object.fromEntries(days.map(({ object_id, ...row }) => [campaign_of.get(object_id), row])),
    },
    standing: idsOf("SUCCEEDED"),
    rolled_back: idsOf("ROLLED_BACK"),
    refused: redemptions.filter(({ result }) => result === "FAILURE").length,
  };
}
