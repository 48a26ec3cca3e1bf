// A shop's journey through a running Guerdon, by the public client that shops use already:
// `npm run demo`. The same journey runs as a test (packages/server/test/demo.test.ts).
import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
// The package is a bundle that Node cannot take names out of, so its default is the whole of it.
import sdk from "@voucherify/sdk";

/** Why the demo cannot run; one line for the person who started it. */
class DemoRefused extends Error {}

const money = (amount) => (amount / 100).toFixed(2);

/** The client of the reference service, pointed at this one. */
export function clientFor({ url, app_id, app_token }) {
  return sdk.VoucherifyServerSide({ applicationId: app_id, secretKey: app_token, apiUrl: url });
}

/**
 * Campaign, voucher, customer, validation, redemption, a second one refused, rollback. Each step is told to `report` with
 * what it said and how long it took; the answers come back by the steps' names. Names are new with each run.
 */
export async function journey(client, report = () => {}) {
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
  return { code, campaign, voucher, shopper, validation, redemption, refused, rollback, after };
}

/** Where the service is and who we are there, from the environment or from what the service wrote at its first start. */
function settings(environment) {
  const url = (environment.GUERDON_URL || "http://127.0.0.1:3000").replace(/\/+$/, "");
  if (!URL.canParse(url)) throw new DemoRefused(`GUERDON_URL must look like http://127.0.0.1:3000, not '${url}'`);
  const { GUERDON_APP_ID: app_id, GUERDON_APP_TOKEN: app_token } = environment;
  if (app_id && app_token) return { url, app_id, app_token };
  const file = path.resolve(environment.GUERDON_DATA_DIR || "data", "credentials.env");
  const written = writtenCredentials(file);
  return { url, app_id: written.GUERDON_APP_ID, app_token: written.GUERDON_APP_TOKEN };
}

function writtenCredentials(file) {
  const help = "set GUERDON_APP_ID and GUERDON_APP_TOKEN, or GUERDON_DATA_DIR to the data folder of the service";
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new DemoRefused(`no credentials in ${file}; ${help}`);
  }
  const found = Object.fromEntries(
    text.split("\n").flatMap((line) => (line.includes("=") ? [line.split(/=(.*)/s)] : [])),
  );
  if (!found.GUERDON_APP_ID || !found.GUERDON_APP_TOKEN)
    throw new DemoRefused(`${file} names no application key; ${help}`);
  return found;
}

async function assertAnswering(url) {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (!answer?.ok) throw new DemoRefused(`no Guerdon answers at ${url}; start one with npm start, or set GUERDON_URL`);
}

async function main() {
  const { url, ...credentials } = settings(process.env);
  await assertAnswering(url);
  console.log(`A shop's journey at ${url}, through @voucherify/sdk\n`);
  let total_ms = 0;
  await journey(clientFor({ url, ...credentials }), ({ name, said, took_ms }) => {
    total_ms += took_ms;
    console.log(`${took_ms.toFixed(1).padStart(8)} ms  ${name.padEnd(14)} ${said}`);
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
