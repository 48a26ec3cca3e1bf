// One of the clients of a history, in a process of its own: its lanes each do what their plan says, one thing after the
// other. What was asked, when, and what was answered goes into a file.
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const { urls, headers, lanes, rules, campaigns, file } = JSON.parse(readFileSync(process.argv[2], "utf8"));

/** Redemptions that this client has been told of, by the id that a rollback names. */
const redeemed = [];
/** How many of the latest of these a rollback chooses from: some are chosen twice, at once or later. */
const remembered_max = 12;
/** By campaign, the assignment of its rule. */
const assignments = {};

const asked = ({ redeemables, customer, amount, session }) => ({
  redeemables: redeemables.map(({ code, credits }) => ({
    object: "voucher",
    id: code,
    ...(credits === undefined ? {} : { gift: { credits } }),
  })),
  order: { amount },
  ...(customer ? { customer: { source_id: customer } } : {}),
  ...(session ? { session: { type: "LOCK", key: session } } : {}),
});

/** Method, path and body; undefined where there is nothing to do it to yet. */
const requests = {
  redeem: (it) => ["POST", "/v1/redemptions", asked(it)],
  lock: (it) => ["POST", "/v1/validations", asked(it)],
  validate: (it) => ["POST", "/v1/validations", asked(it)],
  release: ({ code, session }) => ["DELETE", `/v1/vouchers/${code}/sessions/${session}`],
  switch_voucher: ({ code, active }) => ["POST", `/v1/vouchers/${code}/${active ? "enable" : "disable"}`],
  switch_campaign: ({ campaign, active }) => ["POST", `/v1/campaigns/${campaign}/${active ? "enable" : "disable"}`],
  bound: ({ limit, bound }) => {
    const { id, name } = rules[limit];
    return ["PUT", `/v1/validation-rules/${id}`, ruleOf(name, bound)];
  },
  assign: ({ limit }) => [
    "POST",
    `/v1/validation-rules/${rules[limit].id}/assignments`,
    { related_object_type: "campaign", related_object_id: campaigns[limit] },
  ],
  unassign: ({ limit }) => ["DELETE", `/v1/validation-rules/${rules[limit].id}/assignments/${assignments[limit]}`],
  roll_back(it) {
    if (redeemed.length === 0) return undefined;
    const { id, is_stack } = redeemed[it.pick % redeemed.length];
    it.id = id;
    return ["POST", `/v1/redemptions/${id}/${is_stack || it.pick % 2 ? "rollbacks" : "rollback"}`, {}];
  },
};

const ruleOf = (name, bound) => ({
  rules: { 1: { name, conditions: { $less_than_or_equal: [bound] } }, logic: "1" },
});

/** What the model is asked about, out of the whole answer. */
const looks = {
  redeem({ redemptions, parent_redemption, order }) {
    const [first] = redemptions;
    const id = (parent_redemption ?? first).id;
    redeemed.push({ id, is_stack: parent_redemption !== undefined });
    if (redeemed.length > remembered_max) redeemed.shift();
    return { id, total: order.total_amount, parts: redemptions.map(partOf) };
  },
  roll_back: (body) => ({ parts: (body.rollbacks ?? [body]).map(partOf) }),
  lock: (body) => ({ valid: body.valid, ...keyOf(body) }),
  validate: (body) => ({ valid: body.valid, ...keyOf(body) }),
  assign({ id, rule_id }) {
    const [limit] = Object.entries(rules).find(([, rule]) => rule.id === rule_id);
    assignments[limit] = id;
    return {};
  },
};

const partOf = ({ id, amount, voucher }) => ({
  id,
  code: voucher.code,
  credits: amount ?? null,
  redeemed: voucher.redemption.redeemed_quantity,
  balance: voucher.gift?.balance ?? null,
});

function keyOf({ redeemables }) {
  const refused = redeemables.find(({ status }) => status === "INAPPLICABLE");
  return refused ? { key: refused.result.error.key } : {};
}

/** One clock for all processes of the machine. */
const now_us = () => Number(process.hrtime.bigint() / 1000n);

/** Whoever is told to come again does, also where others are at work on the same thing; what was not recorded has no place in the history. */
async function ask(url, method, body) {
  for (let tries = 1; ; tries += 1) {
    const sent = now_us();
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answered = now_us();
    const { status } = response;
    if (!response.headers.has("retry-after") || tries === 50) {
      return { sent, answered, status, text, request_id: response.headers.get("x-request-id") };
    }
    await pause(100);
  }
}

async function run(plan, lane) {
  for (const [place, it] of plan.entries()) {
    const request = requests[it.does](it);
    if (!request) continue;
    const [method, path, body] = request;
    const { text, ...answer } = await ask(urls[it.node] + path, method, body);
    const parsed = text === "" ? {} : JSON.parse(text);
    const is_done = answer.status < 300;
    const saw = is_done ? (looks[it.does]?.(parsed) ?? {}) : { key: parsed.key };
    appendFileSync(file, `${JSON.stringify({ lane, place, it, ...answer, saw })}\n`);
  }
}

await Promise.all(lanes.map(({ lane, plan }) => run(plan, lane)));
