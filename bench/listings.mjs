// The workload `listings`: pages, filters and a walk by cursor over many vouchers, one caller at a time.
import { setTimeout as pause } from "node:timers/promises";
import { NotAsExpected } from "./as-expected.mjs";
import { machineLines, rounded, today } from "./figures.mjs";
import { headers, project_id, settle } from "./stage.mjs";

const asked_each = 40;
/** Asked before: what a process compiles in its first minute says nothing of those that follow. */
const warm_up_each = 10;
const walked_pages = 200;
const target_ms = 50;

const filter = (field, operator, value) => `filters[${field}][conditions][${operator}]=${encodeURIComponent(value)}`;

/** A thousand campaigns' worth of codes: a hundredth are gift cards, a thousandth disabled, a tenth expire. */
const stock = (n) => `
  insert into vouchers (project_id, id, code, code_key, type, discount, quantity, expiration_date, active, metadata,
                        holder_id, created_at)
  select '${project_id}', 'v_' || lpad(i::text, 12, '0'), 'CODE-' || i, 'CODE-' || i,
         case when i % 100 = 0 then 'GIFT_VOUCHER' else 'DISCOUNT_VOUCHER' end, '{"type":"AMOUNT","amount_off":100}', 1,
         case when i % 10 = 0 then timestamptz '2026-01-01' + i * interval '1 minute' end, i % 1000 <> 0,
         case when i % 50 = 0 then jsonb_build_object('batch', i % 20000) else '{}' end,
         case when i % 500 = 0 then 'cust_' || i end, timestamptz '2025-01-01' + i * interval '1 second'
    from generate_series(1, ${n}) as i`;

const lists = (n) => ({
  "first page": "limit=100",
  "page 99 of 100": "limit=100&page=99",
  "by code": "order=code&limit=100&page=99",
  code: filter("code", "$is", `CODE-${n}`),
  "code begins": filter("code", "$starts_with", "CODE-77"),
  "code holds": filter("code", "$contains", "777"),
  type: filter("type", "$is", "GIFT_VOUCHER"),
  disabled: filter("active", "$disabled", "true"),
  active: filter("active", "$active", "true"),
  expiration: filter("expiration_date", "$before", "2026-01-02"),
  holder: filter("holder_id", "$is", "cust_5000"),
  held: filter("holder_id", "$has_value", ""),
  metadata: filter("metadata.batch", "$is", "50"),
  "used up to 0": filter("redemption.redeemed_quantity", "$more_than", "0"),
  "a month": filter("created_at", "$after", "2025-01-05"),
});

export async function listings(stage, { vouchers: n, full }) {
  const size = full ? 1e6 : n;
  console.error(`listings, n = ${size}`);
  const service = await stage.startService();
  await stage.db.query(stock(size));
  await stage.db.query(
    `insert into standalone_voucher_counts (project_id, slot, vouchers_count) values ('${project_id}', 0, ${size})`,
  );
  await settle(stage.db);
  await signed(stage.db);
  await stage.db.query("vacuum analyze vouchers, code_pages");
  const p95_ms = {};
  for (const [name, query] of Object.entries(lists(size))) {
    for (let i = 0; i < warm_up_each; i += 1) await ask(service, query);
    p95_ms[name] = await p95(Array.from({ length: asked_each }, () => () => ask(service, query)));
  }
  let after = "";
  const walk = () => async () => {
    const { vouchers } = await ask(service, `limit=100${after}`);
    after = `&starting_after_id=${vouchers.at(-1).id}`;
  };
  p95_ms["cursor walk"] = await p95(Array.from({ length: Math.min(walked_pages, size / 100) }, walk));
  await stage.stop(service);
  return {
    workload: "listings",
    n: size,
    target_ms,
    p95_ms,
    met: Object.values(p95_ms).every((ms) => ms <= target_ms),
  };
}

/** The service signs pages of codes within seconds (docs/adr/0087). */
async function signed(db) {
  const unsigned = "select from code_pages where signature is null and codes >= 16 limit 1";
  while ((await db.query(unsigned)).rows.length > 0) await pause(500);
}

async function ask({ url }, query) {
  const answer = await fetch(`${url}/v1/vouchers?${query}`, { headers });
  if (answer.status !== 200) throw new NotAsExpected(`${query} answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function p95(questions) {
  const took_ms = [];
  for (const question of questions) {
    const begun = performance.now();
    await question();
    took_ms.push(performance.now() - begun);
  }
  return rounded(took_ms.sort((a, b) => a - b)[Math.floor(took_ms.length * 0.95)], 1);
}

export function listingsSection(heading, [{ n, p95_ms, target_ms }], machine) {
  return [
    heading,
    "",
    `Measured on ${today()}: ${n} vouchers, ${asked_each} requests each, one after the other; target: ${target_ms} ms.`,
    ...machineLines(machine),
    "",
    "| `GET /v1/vouchers` | p95 ms |",
    "|---|---|",
    ...Object.entries(p95_ms).map(([name, ms]) => `| ${name} | ${ms > target_ms ? `**${ms}**` : ms} |`),
  ].join("\n");
}
