import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../harness/client.js";
import { buildIfStale, cleanUpProcesses, clientOf, startProcess, stopProcess } from "../harness/process.js";
import { aUsedDataDir } from "../harness/templates.js";

await buildIfStale();
cleanUpProcesses();

const discount = { type: "PERCENT", percent_off: 10 };

/** Prices of a catalogue as a rule: a formula for each product, as many as fit into the largest rule. */
function aLargestRule(name: string) {
  const entry = (i: number) => ({
    object: "product",
    id: `prod_${i}`,
    effect: "APPLY_TO_EVERY",
    // As many as a rule may have characters of.
    ...(i < 1_500 ? { price_formula: `MIN(ORDER_AMOUNT*0.9;${i}+ORDER_AMOUNT/2)` } : { quantity_limit: 1 + i }),
  });
  return { name, rules: { logic: "" }, applicable_to: { included: Array.from({ length: 2050 }, (_, i) => entry(i)) } };
}

/** A code for each of the rules. */
async function stock(api: Client, rules: number) {
  for (let i = 0; i < rules; i += 1) {
    const { id } = (await api.post("/v1/validation-rules", aLargestRule(`large ${i}`), 200)).body;
    await api.post(`/v1/vouchers/LARGE-${i}`, { discount, validation_rules: [id] }, 200);
  }
}

/** Without the check of other tests that nothing is above 499: a 503 of one's own is what is asked for here. */
async function validate(url: string, key: Record<string, string>, ...codes: string[]) {
  const answer = await fetch(`${url}/v1/validations`, {
    method: "POST",
    headers: { "content-type": "application/json", ...key },
    body: JSON.stringify({
      redeemables: codes.map((id) => ({ object: "voucher", id })),
      order: { items: [{ product_id: "prod_1", quantity: 1, price: 1000 }] },
    }),
  });
  const body = (await answer.json()) as { valid?: boolean; key?: string; details?: string };
  return { status: answer.status, body, retry_after: answer.headers.get("retry-after") };
}

describe("a process of 256 MB", () => {
  test("lives through the largest rules of several projects, and answers their neighbour, after a restart too", async () => {
    const { data_dir, credentials } = await aUsedDataDir();
    const env = { GUERDON_DATA_DIR: data_dir, NODE_OPTIONS: "--max-old-space-size=256" };
    const codes = Array.from({ length: 15 }, (_, i) => `LARGE-${i}`);
    let service = await startProcess({ env });
    const management = createClient(service.url, {
      "x-management-id": credentials.GUERDON_MANAGEMENT_ID ?? "",
      "x-management-token": credentials.GUERDON_MANAGEMENT_TOKEN ?? "",
    });
    const names = ["one", "two", "three"];
    const keys: Record<string, string>[] = [];
    for (const name of names) {
      const { body } = await management.post("/management/v1/projects", { name }, 200);
      const { app_id, app_token } = body.server_side_key;
      keys.push({ "x-app-id": app_id, "x-app-token": app_token });
    }
    for (const key of keys) await stock(createClient(service.url, key), 15);
    const neighbour_key = {
      "x-app-id": credentials.GUERDON_APP_ID ?? "",
      "x-app-token": credentials.GUERDON_APP_TOKEN ?? "",
    };
    await clientOf(service.url, credentials).post("/v1/vouchers/SMALL", { discount }, 200);

    for (const round of ["before", "after"]) {
      const { url } = service;
      const at_once = keys.flatMap((key) => [
        validate(url, key, ...codes),
        ...codes.map((code) => validate(url, key, code)),
      ]);
      const neighbour: unknown[] = [];
      for (let i = 0; i < 5; i += 1) neighbour.push((await validate(url, neighbour_key, "SMALL")).body.valid);
      expect(neighbour).toEqual(Array(5).fill(true));
      const answers = await Promise.all(at_once);
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      for (const key of keys) {
        // One by one they are decided, kept or not; all of them are more than a request may have.
        for (const code of codes.slice(0, 5)) expect((await validate(url, key, code)).body.valid).toBe(true);
        const { status, body, retry_after } = await validate(url, key, ...codes);
        expect({ status, key: body.key, retry_after }).toEqual({
          status: 503,
          key: "service_unavailable",
          retry_after: "1",
        });
        expect(body.details).toContain("more memory than the service may give one request");
      }
      if (round === "before") {
        expect(await stopProcess(service)).toEqual({ code: 0, signal: null });
        service = await startProcess({ env });
      }
    }
    expect(await stopProcess(service)).toEqual({ code: 0, signal: null });
  }, 240_000);

  test("lives through crowds that ask for a hundred large rows each", async () => {
    const { data_dir, credentials } = await aUsedDataDir();
    const env = { GUERDON_DATA_DIR: data_dir, NODE_OPTIONS: "--max-old-space-size=256" };
    const service = await startProcess({ env });
    const api = clientOf(service.url, credentials);
    const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key_${i}`, "x".repeat(1_000)]));
    for (let i = 0; i < 200; i += 1) await api.post(`/v1/vouchers/WIDE-${i}`, { discount, metadata }, 200);
    const headers = {
      "content-type": "application/json",
      "x-app-id": credentials.GUERDON_APP_ID ?? "",
      "x-app-token": credentials.GUERDON_APP_TOKEN ?? "",
    };
    const codes = Array.from({ length: 30 }, (_, i) => ({ object: "voucher", id: `WIDE-${i}` }));
    const order = { amount: 10_000 };
    const asked: [string, object?][] = [
      ["/v1/vouchers?limit=100"],
      ["/v1/qualifications", { order, options: { sorting_rule: "BEST_DEAL" } }],
      ["/v1/qualifications", { order, options: { limit: 50, expand: ["redeemable"] } }],
      ["/v1/validations", { order, redeemables: codes, options: { expand: ["redeemable"] } }],
    ];
    for (const [path, body] of asked) {
      const crowd = Array.from({ length: 120 }, async () => {
        const asking = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
        const answer = await fetch(service.url + path, asking);
        await answer.arrayBuffer();
        return answer.status;
      });
      const statuses = new Set(await Promise.all(crowd));
      expect([path, statuses.has(200), [...statuses].filter((status) => status !== 200 && status !== 503)]).toEqual([
        path,
        true,
        [],
      ]);
    }
    await api.get("/v1/vouchers/WIDE-1", 200);
    expect(await stopProcess(service)).toEqual({ code: 0, signal: null });
  }, 240_000);
});
