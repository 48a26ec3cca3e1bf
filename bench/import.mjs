// The workload `import`: vouchers from files of CSV, beside PostgreSQL taking the very same rows by COPY.
import { NotAsExpected } from "./as-expected.mjs";
import { cpuNow, floorSeconds, untilEnded } from "./codes.mjs";
import { machineLines, profileOf, rounded, today } from "./figures.mjs";
import { askOnce } from "./load.mjs";
import { neighbour_pause_ms, neighbourOf, quantilesOf } from "./neighbour.mjs";
import { summaryOf } from "./profile.mjs";
import { headers, project_id, settle, statementsOf } from "./stage.mjs";
import { makeFloor, stock } from "./stock.mjs";

/** A file of these is some five megabytes, half of what one may have. */
const rows_of_file = 100_000;
const warm_up_rows = 5_000;
/** Some seconds, in which a neighbour validates some hundred times. */
const rows_beside = 200_000;
const profiled_rows = 100_000;
const quiet_ms = 5_000;
const target_s = 60;
const target_ratio = 8;
const rss_target_mb = 300;
const neighbour_target = 2;

/** `validations` are those of the neighbour. */
export async function imports(stage, options, validations) {
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
  const neighbour = await besideNeighbour(stage, service, Math.min(n, rows_beside), validations);
  await stage.stop(service);
  const floors = (await floorSeconds(db, campaign_id, n, options.rounds)).toSorted((a, b) => a - b);
  const floor_seconds = floors[Math.floor(floors.length / 2)];
  const ratio = seconds / floor_seconds;
  const met =
    (seconds <= (target_s * n) / 1e6 || ratio <= target_ratio) &&
    rss_growth_mb <= rss_target_mb &&
    neighbour.ratio <= neighbour_target &&
    neighbour.beside.failed === 0;
  const result = {
    workload: "import",
    n,
    seconds,
    taken_seconds,
    floor_seconds,
    ratio,
    rss_growth_mb,
    neighbour,
    cpu_s,
  };
  const profile = options.profile || !met ? await profiled(stage, Math.min(n, profiled_rows)) : undefined;
  return { ...result, met, profile };
}

/**
 * How long a quiet client waits for its validations while nothing else happens, and while an import is under way. The files are made before:
 * both clients are one process.
 */
async function besideNeighbour(stage, service, n, validations) {
  await makeFloor(stage.db);
  await stock(stage.db, service.url, 1000);
  const work = await prepared(service, "import-beside", n);
  const neighbour = neighbourOf(service.url, validations);
  await neighbour.during(quiet_ms / 2);
  const quiet = quantilesOf(await neighbour.during(quiet_ms));
  const running = imported(stage, service, work);
  const beside = quantilesOf(await neighbour.beside(running));
  await verify(stage, work, await running);
  return { quiet, beside, ratio: beside.p99_ms / quiet.p99_ms };
}

/** Once more, smaller, on a service that is profiled: what a missed target is lost on. */
async function profiled(stage, n) {
  const profile_dir = await stage.newFolder();
  const service = await stage.startService({ profile_dir });
  await importRows(stage, service, "import-profiled-warm-up", warm_up_rows);
  const from_ms = service.age_ms();
  await importRows(stage, service, "import-profiled", n);
  const to_ms = service.age_ms();
  // Apart from the profile, since counting costs PostgreSQL a little.
  const statements = await statementsOf(stage.db, () => importRows(stage, service, "import-counted", n));
  await stage.stop(service);
  return {
    ...summaryOf(profile_dir, { from_ms, to_ms }),
    statements: statements.map((one) => ({ ...one, per_request: (one.calls / n) * 1000 })),
  };
}

/** From the first byte of the first file until the last is imported; the database must hold exactly what was sent. */
async function importRows(stage, service, name, n) {
  const work = await prepared(service, name, n);
  const done = await imported(stage, service, work);
  await verify(stage, work, done);
  return { campaign_id: work.campaign_id, ...done };
}

async function prepared({ url }, name, n) {
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "PERCENT", percent_off: 10 } };
  const campaign = await askOnce(`${url}/v1/campaigns`, JSON.stringify({ name, type: "STATIC", voucher }));
  const files = Array.from({ length: Math.ceil(n / rows_of_file) }, (_, file) => fileOf(name, file, n));
  return { campaign_id: JSON.parse(campaign).id, files, n };
}

async function imported(stage, service, { campaign_id, files }) {
  const { url } = service;
  const before = await cpuNow(stage, service);
  const begun = performance.now();
  const started = [];
  for (const file of files) started.push(await send(`${url}/v1/campaigns/${campaign_id}/importCSV`, file));
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
  const grown = (part) => (after[part] === undefined ? undefined : after[part] - before[part]);
  return { done, seconds, taken_seconds, cpu_s: { service: grown("service"), postgres: grown("postgres") } };
}

async function verify({ db }, { campaign_id, n }, { done }) {
  const { rows } = await db.query(
    "select count(*)::int as stored from vouchers where project_id = $1 and campaign_id = $2 and deleted_at is null",
    [project_id, campaign_id],
  );
  if (done !== n || rows[0].stored !== n)
    throw new NotAsExpected(`${done} were imported, ${rows[0].stored} are there, not ${n}`);
  await settle(db);
}

/** Made before the clock runs: whoever sends it waits for none of it. */
function fileOf(name, file, n) {
  const from = file * rows_of_file;
  const rows = Array.from(
    { length: Math.min(rows_of_file, n - from) },
    (_, i) => `${name}-${from + i},TRUE,2030-01-01,North ${i % 50}`,
  );
  return new Blob([["Code,Active,Expiration Date,Shop", ...rows].join("\n")]);
}

async function send(url, file) {
  const form = new FormData();
  form.append("file", file, "vouchers.csv");
  const { "content-type": _, ...keys } = headers;
  const answer = await fetch(url, { method: "POST", headers: keys, body: form });
  const body = await answer.json();
  if (answer.status !== 200) throw new NotAsExpected(`${url} answers ${answer.status}: ${JSON.stringify(body)}`);
  return body.async_action_id;
}

export function importSection(heading, [result], machine) {
  const { n, seconds, taken_seconds, floor_seconds, ratio, rss_growth_mb, neighbour, cpu_s, met } = result;
  const { quiet, beside } = neighbour;
  const missed = `${rounded(ratio, 1)} times the COPY, a neighbour's p99 ${rounded(neighbour.ratio, 1)} times`;
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    "",
    "| rows | seconds | of those taken at the door | COPY of the same rows | ratio | memory | target |",
    "|---|---|---|---|---|---|---|",
    `| ${n} | ${rounded(seconds, 1)} | ${rounded(taken_seconds, 1)} | ${rounded(floor_seconds, 2)} s | ${rounded(ratio, 1)} | +${rss_growth_mb} MB | ${met ? "met" : "missed"}: 60 s a million or 8 times, 300 MB, a neighbour's p99 at most doubled |`,
    "",
    `A client that validates, one request after another with ${neighbour_pause_ms} ms between, waits ${rounded(quiet.p50_ms, 1)} ms at p50 and ${rounded(quiet.p99_ms, 1)} at p99 while`,
    `nothing else happens, and ${rounded(beside.p50_ms, 1)} and ${rounded(beside.p99_ms, 1)} beside an import of ${Math.min(n, rows_beside)} rows (${beside.asked} requests, ${beside.failed} not answered): ${rounded(neighbour.ratio, 1)} times.`,
    "",
    `Processor: ${rounded(cpu_s.service, 1)} s of the service${cpu_s.postgres === undefined ? "" : `, ${rounded(cpu_s.postgres, 1)} s of PostgreSQL`}.`,
    "",
    ...profileOf({ ...result, missed, target: `${target_ratio} and ${neighbour_target}` }, "Per 1,000 rows"),
  ].join("\n");
}
