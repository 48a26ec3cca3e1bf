// A shop's journey through a running Guerdon, by the public client that shops use already:
// `npm run demo`. The same journey runs as a test (packages/server/test/demo.test.ts).
import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
// The package is a bundle that Node cannot take names out of, so its default is the whole of it.
import sdk from "@voucherify/sdk";
import { openShop, removeShop } from "./shop.mjs";

/** Why the demo cannot run; one line for the person who started it. */
class DemoRefused extends Error {}

const money = (amount) => (amount / 100).toFixed(2);

/** The client of the reference service, pointed at this one. */
export function clientFor({ url, app_id, app_token }) {
  return sdk.VoucherifyServerSide({ applicationId: app_id, secretKey: app_token, apiUrl: url });
}

/** What the journey needs of the management API, which the public client does not speak. */
export function managementFor({ url, project_id, management_id, management_token }) {
  return {
    async createCustomEventSchema(schema) {
      const answer = await fetch(`${url}/management/v1/projects/${project_id}/custom-event-schemas`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-management-id": management_id,
          "x-management-token": management_token,
        },
        body: JSON.stringify(schema),
      });
      const body = await answer.json();
      // An error of the same form as the public client's, so that one line tells of either.
      if (!answer.ok) throw Object.assign(new Error(body.message), { code: body.code, details: body.details });
      return body;
    },
  };
}

/** What an event earns in the journey, and how soon the service promises it on the card. */
const points_earned = 25;
const points_within_ms = 2_000;

/** Asks for the card until the points are on it; they come by the service's second phase, after the event was answered. */
async function cardWithPoints(client, program_id, card_id, before_poll) {
  const begun = performance.now();
  for (;;) {
    await before_poll();
    const card = await client.loyalties.getMember(program_id, card_id);
    const waited_ms = performance.now() - begun;
    if (card.loyalty_card.balance === points_earned) return { card, waited_ms };
    if (waited_ms > points_within_ms)
      throw new DemoRefused(
        `no ${points_earned} points after ${points_within_ms / 1_000} s; is a Guerdon running whose GUERDON_ROLE is not api?`,
      );
    await sleep(20);
  }
}

/**
 * Campaign, voucher, customer, validation, redemption, a second one refused, rollback; then a loyalty program that pays
 * points for an event of the shop's own. Each step is told to `report` with what it said and how long it took; the answers
 * come back by the steps' names. Names are new with each run. `before_poll` is awaited each time before the points are
 * looked for, for a service whose second phase runs only when it is told to.
 */
export async function journey({ client, management, report = () => {}, before_poll = () => {} }) {
  const run = randomBytes(4).toString("hex").toUpperCase();
  const code = `WINTER-${run}`;
  const redeemables = [{ object: "voucher", id: code }];
  const customer = { source_id: `shopper-${run}` };
  const order = {
    source_id: `order-${run}`,
    items: [
      { product_id: "prod_boots", quantity: 1, price: 12_900 },
      { product_id: "prod_socks", quantity: 3, price: 700 },
    ],
  };

  async function step(name, said, work) {
    const begun = performance.now();
    const answer = await work();
    report({ name, said: said(answer), took_ms: performance.now() - begun });
    return answer;
  }

  const campaign = await step(
    "campaign",
    ({ name }) => `a campaign '${name}': 10 % off, each code once`,
    () =>
      client.campaigns.create({
        name: `Winter sale ${run}`,
        campaign_type: "DISCOUNT_COUPONS",
        type: "AUTO_UPDATE",
        voucher: {
          type: "DISCOUNT_VOUCHER",
          discount: { type: "PERCENT", percent_off: 10 },
          redemption: { quantity: 1 },
          code_config: { pattern: "WINTER-########" },
        },
      }),
  );
  const voucher = await step(
    "voucher",
    (made) => `a code in it: ${made.code}`,
    () => client.campaigns.addCertainVoucher(campaign.id, code),
  );
  const shopper = await step(
    "customer",
    (made) => `a customer: ${made.name}, ${made.id}`,
    () => client.customers.create({ ...customer, name: "Ada Winter", email: `ada.${run.toLowerCase()}@example.com` }),
  );
  const validation = await step(
    "validate",
    ({ order }) => `${code} would take ${money(order.total_discount_amount)} off ${money(order.amount)}`,
    () => client.validations.validateStackable({ redeemables, customer, order }),
  );
  const redemption = await step(
    "redeem",
    ({ order }) => `redeemed: ${money(order.total_amount)} to pay`,
    () => client.redemptions.redeemStackable({ redeemables, customer, order }),
  );
  const refused = await step(
    "redeem again",
    (error) => `refused: ${error.message ?? "it was not"} (${error.key})`,
    () =>
      client.redemptions.redeemStackable({ redeemables, customer }).then(
        () => ({ message: "the second redemption was let through" }),
        (error) => error,
      ),
  );
  const rollback = await step(
    "rollback",
    ({ result }) => `the redemption is undone: ${result}`,
    () => client.redemptions.rollback(redemption.redemptions[0].id, { reason: "the boots were too small" }),
  );
  const after = await step(
    "voucher again",
    ({ redemption: { redeemed_quantity, quantity } }) =>
      `redeemed ${redeemed_quantity} of ${quantity}: it can be used once more`,
    () => client.vouchers.get(code),
  );
  const program = await step(
    "loyalty",
    ({ name }) => `a loyalty program '${name}': cards are made on demand`,
    () =>
      client.campaigns.create({
        name: `Winter club ${run}`,
        campaign_type: "LOYALTY_PROGRAM",
        type: "AUTO_UPDATE",
        voucher: {
          type: "LOYALTY_CARD",
          loyalty_card: { points: 0 },
          code_config: { pattern: "CLUB-########" },
        },
      }),
  );
  const event_schema = await step(
    "event schema",
    ({ name }) => `an event of the shop's own: ${name}`,
    () => management.createCustomEventSchema({ name: `review-written-${run}`, schema: { properties: {} } }),
  );
  const [earning_rule] = await step(
    "earning rule",
    ([{ loyalty }]) => `it pays ${loyalty.points} points`,
    () =>
      client.loyalties.createEarningRule(program.id, [
        {
          event: event_schema.name,
          custom_event: { schema_id: event_schema.id },
          loyalty: { type: "FIXED", points: points_earned },
          source: { banner: "Thank you for your review" },
        },
      ]),
  );
  const member = await step(
    "member",
    (card) => `a card for the customer: ${card.code}, ${card.loyalty_card.balance} points`,
    () => client.loyalties.createMember(program.id, { customer }),
  );
  const event = await step(
    "event",
    ({ type }) => `it happened: ${type}`,
    () => client.events.create(event_schema.name, { customer }),
  );
  const points = await step(
    "points",
    ({ card, waited_ms }) =>
      `${card.loyalty_card.balance} points on the card, ${Math.round(waited_ms)} ms after the event`,
    () => cardWithPoints(client, program.id, member.id, before_poll),
  );
  const vouchers = { code, campaign, voucher, shopper, validation, redemption, refused, rollback, after };
  return { ...vouchers, program, event_schema, earning_rule, member, event, points };
}

/** The variables that say who we are, by the names that the journey's clients have for them. */
const credential_variables = {
  app_id: "GUERDON_APP_ID",
  app_token: "GUERDON_APP_TOKEN",
  project_id: "GUERDON_PROJECT_ID",
  management_id: "GUERDON_MANAGEMENT_ID",
  management_token: "GUERDON_MANAGEMENT_TOKEN",
};

/** Where the service is and who we are there, from the environment or from what the service wrote at its first start. */
function settings(environment) {
  const url = (environment.GUERDON_URL || "http://127.0.0.1:3000").replace(/\/+$/, "");
  if (!URL.canParse(url)) throw new DemoRefused(`GUERDON_URL must look like http://127.0.0.1:3000, not '${url}'`);
  const given = credentialsIn(environment);
  const file = path.resolve(environment.GUERDON_DATA_DIR || "data", "credentials.env");
  const found = missingOf(given).length === 0 ? given : { ...writtenCredentials(file, given), ...given };
  const missing = missingOf(found);
  if (missing.length > 0) throw new DemoRefused(`${file} names no ${missing.join(", ")}; ${helpWith(missing)}`);
  return { url, ...found };
}

const credentialsIn = (variables) =>
  Object.fromEntries(
    Object.entries(credential_variables).flatMap(([name, variable]) =>
      variables[variable] ? [[name, variables[variable]]] : [],
    ),
  );

const missingOf = (credentials) =>
  Object.entries(credential_variables).flatMap(([name, variable]) => (credentials[name] ? [] : [variable]));

const helpWith = (missing) => `set ${missing.join(", ")}, or GUERDON_DATA_DIR to the data folder of the service`;

function writtenCredentials(file, given) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new DemoRefused(`no credentials in ${file}; ${helpWith(missingOf(given))}`);
  }
  return credentialsIn(
    Object.fromEntries(text.split("\n").flatMap((line) => (line.includes("=") ? [line.split(/=(.*)/s)] : []))),
  );
}

async function assertAnswering(url) {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (!answer?.ok) throw new DemoRefused(`no Guerdon answers at ${url}; start one with npm start, or set GUERDON_URL`);
}

/** The sample shop, made or taken away. */
async function shop(flags, service) {
  if (!flags.includes("--remove")) {
    const report = (percent) =>
      percent % 10 === 0 && console.log(`${String(percent).padStart(3)} % of its ninety days`);
    const project_id = await openShop({ ...service, report });
    console.log(`It is the project 'Sample shop': ${service.url}/p/${project_id}/overview?window=90d`);
  } else {
    console.log(`The sample shop (${await removeShop(service)}) is gone.`);
  }
}

async function main() {
  const flags = process.argv.slice(2);
  if (!["", "--shop", "--shop --remove"].includes(flags.join(" ")))
    throw new DemoRefused("it takes no arguments but --shop, or --shop --remove");
  const { url, ...credentials } = settings(process.env);
  await assertAnswering(url);
  if (flags.length > 0) return shop(flags, { url, ...credentials });
  console.log(`A shop's journey at ${url}, through @voucherify/sdk\n`);
  let total_ms = 0;
  await journey({
    client: clientFor({ url, ...credentials }),
    management: managementFor({ url, ...credentials }),
    report({ name, said, took_ms }) {
      total_ms += took_ms;
      console.log(`${took_ms.toFixed(1).padStart(8)} ms  ${name.padEnd(14)} ${said}`);
    },
  });
  console.log(`${total_ms.toFixed(1).padStart(8)} ms  in all`);
}

function oneLine(error) {
  if (error instanceof DemoRefused) return error.message;
  if (error.code === 401) return "the service does not know these credentials; are they of another data folder?";
  return [error.message, error.details].filter(Boolean).join(": ").split("\n")[0];
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    console.error(`demo: ${oneLine(error)}`);
    process.exitCode = 1;
  });
}
