// The workload `import`: vouchers from files of CSV, beside PostgreSQL taking the very same rows by COPY.
import { NotAsExpected } from "./as-expected.mjs";
import { cpuNow, floorSeconds, untilEnded } from "./codes.mjs";
import { machineLines, rounded, today } from "./figures.mjs";
import { askOnce } from "./load.mjs";
import { headers, project_id, settle } from "./stage.mjs";

/** A file of these is some five megabytes, half of what one may have. */
const rows_of_file = 100_000;
const warm_up_rows = 5_000;
const target_s = 60;
const target_ratio = 8;
const rss_target_mb = 300;

export async function imports(stage, options) {
  const n = options.rows;
  console.error(`import, n = ${n}`);
  const { db } = stage;
  const service = await stage.startService();
  const rss_before_mb = service.rss_now_mb();
  await importRows(stage, service, "import-warm-up", warm_up_rows);
  await db.query("analyze");
  await db.query("checkpoint");
  const { campaign_id, seconds, taken_seconds, cpu_s } = await importRows(stage, service, "import", n);
  const rss_growth_mb = service.rss_mb() - Math.round(rss_before_mb);
  await stage.stop(service);
  const floors = (await floorSeconds(db, campaign_id, n, options.rounds)).toSorted((a, b) => a - b);
  const floor_seconds = floors[Math.floor(floors.length / 2)];
  const ratio = seconds / floor_seconds;
  const met = (seconds <= (target_s * n) / 1e6 || ratio <= target_ratio) && rss_growth_mb <= rss_target_mb;
  return { workload: "import", n, seconds, taken_seconds, floor_seconds, ratio, rss_growth_mb, cpu_s, met };
}

/** From the first byte of the first file until the last is imported; the database must hold exactly what was sent. */
async function importRows(stage, service, name, n) {
  const { db } = stage;
  const { url } = service;
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "PERCENT", percent_off: 10 } };
  const { id } = JSON.parse(await askOnce(`${url}/v1/campaigns`, JSON.stringify({ name, type: "STATIC", voucher })));
  const before = await cpuNow(stage, service);
  const begun = performance.now();
  const started = [];
  for (let from = 0; from < n; from += rows_of_file) {
    const rows = Array.from(
      { length: Math.min(rows_of_file, n - from) },
      (_, i) => `${name}-${from + i},TRUE,2030-01-01,North ${i % 50}`,
    );
    started.push(
      await send(`${url}/v1/campaigns/${id}/importCSV`, ["Code,Active,Expiration Date,Shop", ...rows].join("\n")),
    );
  }
  const taken_seconds = (performance.now() - begun) / 1000;
  let done = 0;
  for (const action_id of started) {
    const { status, result } = await untilEnded(`${url}/v1/async-actions/${action_id}`);
    if (status !== "DONE" || result.failed_count > 0)
      throw new NotAsExpected(`an import ended in ${JSON.stringify(result)}`);
    done += result.done_count;
  }
  const seconds = (performance.now() - begun) / 1000;
  const after = await cpuNow(stage, service);
  const { rows } = await db.query(
    "select count(*)::int as stored from vouchers where project_id = $1 and campaign_id = $2 and deleted_at is null",
    [project_id, id],
  );
  if (done !== n || rows[0].stored !== n)
    throw new NotAsExpected(`${done} were imported, ${rows[0].stored} are there, not ${n}`);
  await settle(db);
  const grown = (part) => (after[part] === undefined ? undefined : after[part] - before[part]);
  return { campaign_id: id, seconds, taken_seconds, cpu_s: { service: grown("service"), postgres: grown("postgres") } };
}

async function send(url, text) {
  const form = new FormData();
  form.append("file", new Blob([text]), "vouchers.csv");
  const { "content-type": _, ...keys } = headers;
  const answer = await fetch(url, { method: "POST", headers: keys, body: form });
  const body = await answer.json();
  if (answer.status !== 200) throw new NotAsExpected(`${url} answers ${answer.status}: ${JSON.stringify(body)}`);
  return body.async_action_id;
}

export function importSection(
  heading,
  [{ n, seconds, taken_seconds, floor_seconds, ratio, rss_growth_mb, cpu_s, met }],
  machine,
) {
  return [
    heading,
    "",
    `Measured ${today()}. ${machineLines(machine).join(" ")}`,
    "",
    "| rows | seconds | of those taken at the door | COPY of the same rows | ratio | memory | target |",
    "|---|---|---|---|---|---|---|",
    `| ${n} | ${rounded(seconds, 1)} | ${rounded(taken_seconds, 1)} | ${rounded(floor_seconds, 2)} s | ${rounded(ratio, 1)} | +${rss_growth_mb} MB | ${met ? "met" : "missed"}: 60 s a million or 8 times, 300 MB |`,
    "",
    `Processor: ${rounded(cpu_s.service, 1)} s of the service${cpu_s.postgres === undefined ? "" : `, ${rounded(cpu_s.postgres, 1)} s of PostgreSQL`}.`,
  ].join("\n");
}
