import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { clientFor, journey, managementFor, type Step } from "../../../scripts/demo.mjs";
import { booksOf } from "../src/features/loyalties/loyalty.fixtures.js";
import { createSecondPhase } from "../src/second-phase.js";
import { startService } from "./harness/service.js";

const { url, api, context, project, runDue } = await startService();
/** The management key that the harness starts every service with. */
const management_key = { management_id: "test-management", management_token: "test-management-token" };
const service = {
  client: clientFor({ url, ...project }),
  management: managementFor({ url, project_id: project.id, ...management_key }),
  before_poll: runDue,
};

describe("a shop's journey through the public client", () => {
  test("goes from a campaign to the points that an event earned", async () => {
    const steps: Step[] = [];
    const told = await journey({ ...service, report: (step) => steps.push(step) });

    expect(steps.map(({ name }) => name)).toEqual([
      "campaign",
      "voucher",
      "customer",
      "validate",
      "redeem",
      "redeem again",
      "rollback",
      "voucher again",
      "loyalty",
      "event schema",
      "earning rule",
      "member",
      "event",
      "points",
    ]);
    expect(told.campaign).toMatchObject({ campaign_type: "DISCOUNT_COUPONS", object: "campaign" });
    expect(told.voucher).toMatchObject({ code: told.code, campaign_id: told.campaign.id });
    expect(told.validation).toMatchObject({
      valid: true,
      order: { amount: 15_000, total_discount_amount: 1500, total_amount: 13_500 },
    });
    expect(told.redemption).toMatchObject({
      redemptions: [{ result: "SUCCESS", customer_id: told.shopper.id, voucher: { code: told.code } }],
      order: { total_amount: 13_500, total_applied_discount_amount: 1500 },
    });
    expect(told.refused).toMatchObject({ code: 400, key: "quantity_exceeded" });
    expect(told.rollback).toMatchObject({ result: "SUCCESS", reason: "the boots were too small" });
    expect(told.after).toMatchObject({ redemption: { quantity: 1, redeemed_quantity: 0 } });
    expect(told.program).toMatchObject({ campaign_type: "LOYALTY_PROGRAM", type: "AUTO_UPDATE", object: "campaign" });
    expect(told.event_schema).toMatchObject({ object: "custom-event-schema" });
    expect(told.earning_rule).toMatchObject({
      event: told.event_schema.name,
      custom_event: { schema_id: told.event_schema.id },
      loyalty: { type: "FIXED", points: 25 },
    });
    expect(told.member).toMatchObject({
      campaign_id: told.program.id,
      holder_id: told.shopper.id,
      loyalty_card: { points: 0, balance: 0 },
    });
    expect(told.event).toMatchObject({ object: "event", type: told.event_schema.name });
    expect(told.points.card).toMatchObject({ id: told.member.id, loyalty_card: { points: 25, balance: 25 } });
  });

  test("leaves what it did in the books", async () => {
    const { code, member } = await journey(service);
    const { body } = await api.get(`/v1/vouchers/${code}/redemption`, 200);
    expect(
      body.redemption_entries.map(({ object, result }: Record<string, string>) => [object, result]).sort(),
    ).toEqual([
      ["redemption", "FAILURE"],
      ["redemption", "SUCCESS"],
      ["redemption_rollback", "SUCCESS"],
    ]);
    const entries = await booksOf({ context, project }).entriesOf(member.id);
    expect(entries).toMatchObject([{ type: "POINTS_ACCRUAL", amount: 25, balance: 25 }]);
  });

  test("works as often as one likes, at once too", async () => {
    const told = await Promise.all([journey(service), journey(service), journey(service)]);
    expect(new Set(told.map(({ code }) => code)).size).toBe(3);
  });

  test("does not wait for ever where nothing pays the points", async () => {
    const steps: Step[] = [];
    const stuck = journey({ ...service, report: (step) => steps.push(step), before_poll: undefined });
    await expect(stuck).rejects.toThrow(/no 25 points after 2 s; is a Guerdon running whose GUERDON_ROLE is not api/);
    expect(steps.at(-1)).toMatchObject({ name: "event" });
  });
});

describe("npm run demo", () => {
  const script = fileURLToPath(new URL("../../../scripts/demo.mjs", import.meta.url));

  const credentials = {
    GUERDON_PROJECT_ID: project.id,
    GUERDON_APP_ID: project.app_id,
    GUERDON_APP_TOKEN: project.app_token,
    GUERDON_MANAGEMENT_ID: management_key.management_id,
    GUERDON_MANAGEMENT_TOKEN: management_key.management_token,
  };
  const strangers = Object.fromEntries(Object.keys(credentials).map((name) => [name, "a"]));

  // The script is told nothing of the tests, so the points have to come by themselves.
  const project_ids = [project.id];
  const second_phase = createSecondPhase(context, { project_ids });
  beforeAll(() => second_phase.start());
  afterAll(() => second_phase.stop());

  /** Runs the script with these variables of ours and no others. */
  async function demo(variables: Record<string, string>) {
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith("GUERDON_")),
    );
    const run = promisify(execFile)(process.execPath, [script], { env: { ...environment, ...variables } });
    return run.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  }

  test("prints a line with its time for each step", async () => {
    const { code, stdout } = await demo({ GUERDON_URL: url, ...credentials });
    expect(code).toBe(0);
    expect(stdout.match(/^ +\d+\.\d ms {2}\S/gm)).toHaveLength(15);
    expect(stdout).toMatch(/ points {9}25 points on the card, \d+ ms after the event$/m);
  });

  test("takes the credentials that the service wrote at its first start", async () => {
    const data_dir = await mkdtemp(join(tmpdir(), "guerdon-demo-"));
    onTestFinished(() => rm(data_dir, { recursive: true }));
    const lines = Object.entries(credentials).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(data_dir, "credentials.env"), lines.join(""));
    expect(await demo({ GUERDON_URL: url, GUERDON_DATA_DIR: data_dir })).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    ["no service", { GUERDON_URL: "http://127.0.0.1:1", ...strangers }, /no Guerdon answers at http:\/\/127.0.0.1:1;/],
    [
      "no credentials",
      { GUERDON_URL: url, GUERDON_DATA_DIR: "/nowhere" },
      /no credentials in \/nowhere\/credentials.env;/,
    ],
    [
      "no management credentials",
      { GUERDON_URL: url, GUERDON_DATA_DIR: "/nowhere", ...credentials, GUERDON_MANAGEMENT_TOKEN: "" },
      /no credentials in \/nowhere\/credentials.env; set GUERDON_MANAGEMENT_TOKEN, or GUERDON_DATA_DIR to/,
    ],
    ["credentials of another service", { GUERDON_URL: url, ...strangers }, /does not know these credentials/],
    [
      "management credentials of another service",
      { GUERDON_URL: url, ...credentials, GUERDON_MANAGEMENT_TOKEN: "a" },
      /does not know these credentials/,
    ],
    ["an address that is none", { GUERDON_URL: "localhost", ...strangers }, /GUERDON_URL must look like/],
  ])("with %s says so in one line", async (_case, variables, line) => {
    const { code, stderr } = await demo(variables);
    expect(code).toBe(1);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
