import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { createMetrics, steps } from "../../platform/metrics.js";
import { backlogReader } from "./backlog.js";

// With connections of its own, so that nothing is counted but what this file does.
const { api, url, context, project, clock } = await startService({ database_url: inject("database_url") });
const nobody = createClient(url);
const docs = (name: string) => readFile(fileURLToPath(new URL(`../../../../../docs/${name}`, import.meta.url)), "utf8");

async function metrics(): Promise<string> {
  return (await nobody.send("GET", "/metrics", { status: 200 })).body;
}

/** The sum of the series of a name whose labels contain all that is given. */
async function seriesOf(name: string, ...labels: string[]): Promise<number> {
  const lines = (await metrics())
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const wanted = lines.filter((line) => labels.every((label) => line.includes(label)));
  return wanted.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

async function aVoucher(code: string) {
  await api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  return { redeemables: [{ object: "voucher", id: code }], order: { amount: 1000 } };
}

test("whoever asks at once is told all that a recording has told", async () => {
  const { recording, batched, text } = createMetrics();
  const { enter, commit, end } = recording();
  enter("write");
  commit();
  end();
  batched(3);
  const told = await text({ pool: { total: 0, idle: 0, waiting: 0 }, backlog: null });
  for (const step of ["write", "commit"])
    expect(told).toContain(`guerdon_recording_stage_seconds_count{stage="${step}"} 1`);
  expect(told).toContain("guerdon_recording_batch_requests_sum 3");
});

describe("requests", () => {
  const count = "guerdon_request_duration_seconds_count";

  test("are counted by operation and class of status, and by nothing that a caller chooses", async () => {
    await aVoucher("SECRET-CODE");
    await api.get("/v1/vouchers/SECRET-CODE", 200);
    await api.get("/v1/vouchers/SECRET-NOBODY", 404);
    await api.get("/SECRET-PATH", 404);
    expect(await seriesOf(count, 'operation="get-voucher"', 'status="2xx"')).toBe(1);
    expect(await seriesOf(count, 'operation="get-voucher"', 'status="4xx"')).toBe(1);
    expect(await seriesOf(count, 'operation="none"', 'status="4xx"')).toBeGreaterThan(0);
    const text = await metrics();
    for (const name of ["SECRET", project.id, project.app_id]) expect(text).not.toContain(name);
  });

  test("that are refused are counted by the key of the refusal, in validations too", async () => {
    const refused = (key: string) => seriesOf("guerdon_refusals_total", `key="${key}"`);
    const before = await refused("voucher_disabled");
    const request = await aVoucher("OFF");
    await api.post("/v1/vouchers/OFF/disable", undefined, 200);
    await api.post("/v1/validations", request, 200);
    await api.post("/v1/vouchers/OFF/validate", {}, 200);
    await api.post("/v1/redemptions", request, 400);
    expect((await refused("voucher_disabled")) - before).toBe(3);
    await nobody.get("/v1/vouchers", 401);
    expect(await refused("unauthorized")).toBeGreaterThan(0);
    await api.send("POST", "/v1/customers", { raw: "{", status: 400 });
    expect(await refused("status_400")).toBeGreaterThan(0);
  });
});

describe("a recording", () => {
  test("tells how long each of its steps took, and how many it recorded", async () => {
    const request = await aVoucher("STEPS");
    const countOf = (stage: string) => seriesOf("guerdon_recording_stage_seconds_count", `stage="${stage}"`);
    const before = await Promise.all(steps.map(countOf));
    const sum = await seriesOf("guerdon_recording_batch_requests_sum");
    const locks = await seriesOf("guerdon_lock_wait_seconds_count");
    for (let i = 0; i < 3; i += 1) await api.post("/v1/redemptions", request, 200);
    const after = await Promise.all(steps.map(countOf));
    for (const [i, stage] of steps.entries()) {
      expect({ stage, more: (after[i] ?? 0) - (before[i] ?? 0) }).toEqual({ stage, more: stage === "resolve" ? 0 : 3 });
    }
    expect((await seriesOf("guerdon_recording_batch_requests_sum")) - sum).toBe(3);
    expect((await seriesOf("guerdon_lock_wait_seconds_count")) - locks).toBe(3);
  });

  test("that starts over is counted with its reason", async () => {
    const retries = () => seriesOf("guerdon_transaction_retries_total", 'reason="40001"');
    const before = await retries();
    let tries = 0;
    await context.db.transaction(async (tx) => {
      tries += 1;
      if (tries < 3) await tx.run(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    expect((await retries()) - before).toBe(2);
  });
});

describe("gauges", () => {
  test("show the pool and the backlog as they are", async () => {
    const { outbox_age_s } = (await backlogReader(context)()) ?? { outbox_age_s: -1 };
    expect(outbox_age_s).toBeGreaterThanOrEqual(0);
    expect(await seriesOf("guerdon_database_connections")).toBe(context.db.pool().total);
    await aVoucher("AGED");
    clock.advance({ hours: 1 });
    const aged = await backlogReader(context)();
    expect(aged?.outbox_age_s).toBeGreaterThanOrEqual(3600);
    expect(aged).toMatchObject({ inbox_age_s: expect.any(Number), async_action_age_s: expect.any(Number) });
  });

  test("ask the database once for all who look within a second", async () => {
    let asked = 0;
    const counting = { one: () => Promise.resolve({ in_outbox: null, in_inbox: null, action: ++asked * 1000 }) };
    const read = backlogReader({ db: counting as unknown as typeof context.db, clock });
    await Promise.all(Array.from({ length: 10 }, read));
    await read();
    expect(asked).toBe(1);
  });

  test("of the backlog are no number while the database is away, and the rest is shown", async () => {
    const away = { one: () => Promise.reject(new Error("away")) };
    const backlog = await backlogReader({ db: away as unknown as typeof context.db, clock })();
    expect(backlog).toBeNull();
    const text = await createMetrics().text({ pool: context.db.pool(), backlog });
    expect(text).toMatch(/guerdon_outbox_age_seconds nan/i);
    expect(text).toMatch(/guerdon_database_waiting 0/);
  });
});

test("keys of refusals are bounded, whoever makes them up", async () => {
  const one = createMetrics();
  for (let i = 0; i < 1000; i += 1) one.refused(`key_${i}`);
  const text = await one.text({ pool: { total: 0, idle: 0, waiting: 0 }, backlog: null });
  expect(text.match(/guerdon_refusals_total\{/g)).toHaveLength(301);
  expect(text).toContain('guerdon_refusals_total{key="other"} 700');
});

describe("with a token set", () => {
  test("only whoever shows it may look", async () => {
    const config = context.config as { metrics_token: string | undefined };
    config.metrics_token = "for-prometheus";
    try {
      for (const authorization of [null, "Bearer wrong", "Basic for-prometheus", "Bearer "]) {
        await nobody.send("GET", "/metrics", { headers: { authorization }, status: 401 });
      }
      await nobody.send("GET", "/metrics", { headers: { authorization: "Bearer for-prometheus" }, status: 200 });
    } finally {
      config.metrics_token = undefined;
    }
  });
});

describe("the documentation", async () => {
  const all = createMetrics({ process_too: true });
  const text = await all.text({ pool: { total: 0, idle: 0, waiting: 0 }, backlog: null });
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
  const listed = [...(await docs("metrics.md")).matchAll(/`((?:guerdon|process|nodejs)_[a-z0-9_]+)`/g)].map(
    ([, name = ""]) => name,
  );

  test("lists every metric, and ours only while they are there", () => {
    expect([...types.keys()].filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed.filter((name) => name.startsWith("guerdon_") && !types.has(name))).toEqual([]);
  });

  test("has a dashboard that asks for nothing else, and for all of ours", async () => {
    const dashboard = JSON.parse(await docs("grafana-dashboard.json"));
    const queries: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    );
    const names = queries.flatMap((query) => query.match(/\b(guerdon|process|nodejs)_[a-z0-9_]+/g) ?? []);
    const series = [...types].flatMap(([name, type]) =>
      type === "histogram" ? ["_bucket", "_sum", "_count"].map((part) => name + part) : [name],
    );
    expect(names.filter((name) => !series.includes(name))).toEqual([]);
    expect(queries.length).toBeGreaterThan(10);
    const ours = [...types.keys()].filter((name) => name.startsWith("guerdon_"));
    expect(ours.filter((name) => !names.some((one) => one.replace(/_(bucket|sum|count)$/, "") === name))).toEqual([]);
  });
});
