import { readFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { someoneIn } from "../src/features/people/people.fixtures.js";
import { all_summaries } from "../src/reference/describe.js";
import { own_keys } from "../src/reference/errors.js";
import { examples } from "../src/reference/examples.js";
import type { Client } from "./harness/client.js";
import { pathWith, readOperations } from "./harness/document.js";
import { startService } from "./harness/service.js";
import { without_example } from "./reference.fixtures.js";

const service = await startService();
const { url, api, project } = service;
const operations = await readOperations(url);
interface Document {
  paths: Record<string, Record<string, { operationId: string; summary?: string; "x-errors"?: { key: string }[] }>>;
  "x-error-sentences": Record<string, string>;
}
const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Of an application that described itself it was 1.7 s. */
const stretch_ms_max = 250;

describe("the API reference", () => {
  test("says of every operation in a sentence what it is for", () => {
    const said = described.filter(({ summary }) => /^[A-Z].{8,99}\.$/.test(summary ?? ""));
    const silent = described.filter((one) => !said.includes(one)).map(({ operationId }) => operationId);
    expect(silent).toEqual([]);
  });

  test("says nothing of operations that there are not", () => {
    const ids = new Set(operations.map(({ id }) => id));
    expect(Object.keys(all_summaries).filter((id) => !ids.has(id))).toEqual([]);
    expect(examples.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  test("says of every error that it lists what it means, and of nothing else", () => {
    const listed = described.flatMap((one) => (one["x-errors"] ?? []).map(({ key }) => key));
    const sentences = document["x-error-sentences"];
    const said = Object.keys(sentences).filter((key) => /^[A-Z].{15,139}\.$/.test(sentences[key] ?? ""));
    expect(said.sort()).toEqual([...new Set(listed)].sort());
  });

  test("names errors by keys that are answered", async () => {
    const catalogues = [
      ...["terms/refusals.ts", "terms/loyalty-refusals.ts", "terms/management-refusals.ts"],
      ...["terms/input-faults.ts", "platform/http/problems.ts"],
    ];
    const texts = await Promise.all(
      catalogues.map((name) => readFile(fileURLToPath(new URL(`../src/${name}`, import.meta.url)), "utf8")),
    );
    const text = texts.join();
    // What one person keeps is refused in one sentence.
    const forms = (key: string) => [`"${key}"`, `${key}:`, `\`${key.replace(/^(views|drafts)/, "$${noun}")}\``];
    expect(own_keys.filter((key) => !forms(key).some((form) => text.includes(form)))).toEqual([]);
  });

  test("shows an example of every operation that takes a body, but for those in a list that only shrinks", () => {
    const shown = new Set(examples.map(({ id }) => id));
    const without = operations.flatMap(({ id, body }) => (body && id && !shown.has(id) ? [id] : []));
    expect(without.sort()).toEqual([...without_example].sort());
  });

  test("is one page with all operations, of files of ours alone", async () => {
    const answer = await fetch(`${url}/docs`);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'self'");
    const page = await answer.text();
    for (const { operationId, summary = "" } of described) {
      expect(page).toContain(`id="${operationId}"`);
      expect(page).toContain(summary.replaceAll('"', "&quot;"));
    }
    const files = ["/docs/page.css", "/docs/page.js", "/openapi.json"];
    for (const file of files) expect((await fetch(url + file)).status).toBe(200);
    const loaded = await Promise.all(files.slice(0, 2).map(async (file) => (await fetch(url + file)).text()));
    for (const text of [page, ...loaded]) expect(text).not.toMatch(/(https?:)?\/\/[\w-]+\.\w/);
  });
});

test("whoever looks first at the reference keeps nobody else waiting", async () => {
  const other = await startService();
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  for (const path of ["/docs", "/openapi.json"]) await (await fetch(other.url + path)).text();
  delays.disable();
  expect(delays.max / 1e6).toBeLessThan(stretch_ms_max);
});

/** Ids that stand in paths, by the example whose answer has them; what has a name of one's own stands in the example. */
const made_by: Record<string, string> = {
  categoryId: "create-category",
  validationRuleId: "create-validation-rules",
  productCollectionId: "create-product-collection",
  segmentId: "create-segment",
  promotionTierId: "add-promotion-tier-to-campaign",
  redemptionId: "redeem-voucher",
  rewardId: "create-reward",
  keyId: "create-key",
  earningRuleId: "create-earning-rule",
  assignmentId: "create-reward-assignment",
  campaignTemplateId: "create-campaign-template",
  brandingId: "create-brand",
  locationId: "create-location",
  webhookId: "create-webhook",
  automationId: "create-automation",
  stackingRulesId: "create-stacking-rules",
  metadataSchemaId: "create-metadata-schema",
  customEventSchemaId: "create-custom-event-schema",
  userId: "invite-project-member",
  productId: "create-product",
  stackId: "create-promotion-stack",
  referralTierId: "create-referral-tier",
  roleId: "create-role",
};
/** The same where operations name other things by the same word. */
const made_for: Record<string, Record<string, string>> = {
  "update-view": { keptId: "create-view" },
  "update-draft": { keptId: "create-draft" },
  "rollback-stacked-redemptions": { redemptionId: "redeem-promotion" },
};

/** A body with what stands in braces in it, as in a path. */
const withIds = (text: string, names: Readonly<Record<string, string | undefined>>) =>
  text.replace(/"\{(\w+)\}"/g, (_, name: string) => JSON.stringify(names[name]));

describe("an example request of the reference", async () => {
  const { browser } = await someoneIn(service, project.id, "ADMIN");
  const callers: Record<string, Client> = { dashboard: browser, client: project.page, management: service.management };
  const answered = new Map<string, string>();
  // In their order, on a project that knows nothing yet: each may name what one before has made.
  test.each(examples.map((example, i) => ({ name: `${i}: ${example.id}`, ...example })))(
    "works: $name",
    async ({ id, path: named = {}, body }) => {
      const { method = "", path = "", statuses = [] } = operations.find((one) => one.id === id) ?? {};
      const [, side = ""] = /^\/(\w+)\//.exec(path) ?? [];
      const caller = callers[side] ?? api;
      const ids = Object.entries({ ...made_by, ...made_for[id] }).map(([name, by]) => [name, answered.get(by)]);
      const names = { projectId: project.id, ...Object.fromEntries(ids), ...named };
      const raw = body === undefined ? {} : { raw: withIds(JSON.stringify(body), names) };
      const asked = Object.entries(named).filter(([name]) => !path.includes(`{${name}}`));
      const query = asked.length > 0 ? `?${new URLSearchParams(asked)}` : "";
      const answer = await caller.send(method, pathWith(path, names) + query, raw);
      answered.set(id, (Array.isArray(answer.body) ? answer.body[0] : answer.body)?.id);
      expect({ status: answer.status }, JSON.stringify(answer.body)).toMatchObject({
        status: expect.toSatisfy((one) => one < 300),
      });
      expect(statuses).toContain(String(answer.status));
      const { valid } = answer.body ?? {};
      if (valid !== undefined) expect(answer.body).toMatchObject({ valid: true });
    },
  );
});
