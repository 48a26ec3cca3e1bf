import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientFor, journey, type Step } from "../../../scripts/demo.mjs";
import { startService } from "./harness/service.js";

const { url, api, project } = await startService();
const client = clientFor({ url, ...project });

describe("a shop's journey through the public client", () => {
  test("goes from a campaign to a rollback", async () => {
    const steps: Step[] = [];
    const told = await journey(client, (step) => steps.push(step));

    expect(steps.map(({ name }) => name)).toEqual([
      "campaign",
      "voucher",
      "customer",
      "validate",
      "redeem",
      "redeem again",
      "rollback",
      "voucher again",
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
  });

  test("leaves what it did in the books", async () => {
    const { code } = await journey(client);
    const { body } = await api.get(`/v1/vouchers/${code}/redemption`, 200);
    expect(
      body.redemption_entries.map(({ object, result }: Record<string, string>) => [object, result]).sort(),
    ).toEqual([
      ["redemption", "FAILURE"],
      ["redemption", "SUCCESS"],
      ["redemption_rollback", "SUCCESS"],
    ]);
  });

  test("works as often as one likes, at once too", async () => {
    const told = await Promise.all([journey(client), journey(client), journey(client)]);
    expect(new Set(told.map(({ code }) => code)).size).toBe(3);
  });
});

describe("npm run demo", () => {
  const script = fileURLToPath(new URL("../../../scripts/demo.mjs", import.meta.url));

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
    const { code, stdout } = await demo({
      GUERDON_URL: url,
      GUERDON_APP_ID: project.app_id,
      GUERDON_APP_TOKEN: project.app_token,
    });
    expect(code).toBe(0);
    expect(stdout.match(/^ +\d+\.\d ms {2}\S/gm)).toHaveLength(9);
  });

  test("takes the credentials that the service wrote at its first start", async () => {
    const data_dir = await mkdtemp(join(tmpdir(), "guerdon-demo-"));
    onTestFinished(() => rm(data_dir, { recursive: true }));
    await writeFile(
      join(data_dir, "credentials.env"),
      `GUERDON_APP_ID=${project.app_id}\nGUERDON_APP_TOKEN=${project.app_token}\n`,
    );
    expect(await demo({ GUERDON_URL: url, GUERDON_DATA_DIR: data_dir })).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    [
      "no service",
      { GUERDON_URL: "http://127.0.0.1:1", GUERDON_APP_ID: "a", GUERDON_APP_TOKEN: "b" },
      /no Guerdon answers at http:\/\/127.0.0.1:1;/,
    ],
    [
      "no credentials",
      { GUERDON_URL: url, GUERDON_DATA_DIR: "/nowhere" },
      /no credentials in \/nowhere\/credentials.env;/,
    ],
    [
      "credentials of another service",
      { GUERDON_URL: url, GUERDON_APP_ID: "a", GUERDON_APP_TOKEN: "b" },
      /does not know these credentials/,
    ],
    [
      "an address that is none",
      { GUERDON_URL: "localhost", GUERDON_APP_ID: "a", GUERDON_APP_TOKEN: "b" },
      /GUERDON_URL must look like/,
    ],
  ])("with %s says so in one line", async (_case, variables, line) => {
    const { code, stderr } = await demo(variables as unknown as Record<string, string>);
    expect(code).toBe(1);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
