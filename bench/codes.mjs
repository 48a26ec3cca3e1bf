// The workload `codes`: a campaign's codes made over the API, beside PostgreSQL taking the very same rows by COPY.
import { setTimeout as pause } from "node:timers/promises";
import { NotAsExpected } from "./as-expected.mjs";
import { askOnce } from "./load.mjs";
import { summaryOf } from "./profile.mjs";
import { headers, project_id, settle, statementsOf } from "./stage.mjs";

/** What one request may ask for. */
const codes_max = 1e6;
/** Enough for both processes to have made their plans and compiled what is hot. */
const warm_up_codes = 10_000;
const profiled_codes = 100_000;
const poll_ms = 100;
const deadline_ms = 600_000;
const target = 3;
const rss_target_mb = 250;

export async function codes(stage, options) {
  const n = options.codes;
  if (!Number.isInteger(n) || n > codes_max)
    throw new NotAsExpected(`--codes must be a whole number up to ${codes_max}`);
  console.error(`codes, n = ${n}`);
  const { db } = stage;
  const service = await stage.startService();
  // Before the warm-up, so that what it takes counts as growth too.
  const rss_before_mb = service.rss_now_mb();
  await generate(stage, service, "codes-warm-up", warm_up_codes);
  await db.query("analyze");
  await db.query("checkpoint");
  const { campaign_id, seconds, cpu_s } = await generate(stage, service, "codes", n);
  const rss_growth_mb = service.rss_mb() - Math.round(rss_before_mb);
  await stage.stop(service);
  const floor_s = await floorSeconds(db, campaign_id, n, options.rounds);
  const floor_seconds = floor_s.toSorted((a, b) => a - b)[Math.floor(floor_s.length / 2)];
  const ratio = seconds / floor_seconds;
  const result = {
    workload: "codes",
    n,
    seconds,
    floor_seconds,
    floor_spread: [Math.min(...floor_s), Math.max(...floor_s)],
    ratio,
    rss_growth_mb,
    target,
    rss_target_mb,
    met: ratio <= target,
    cpu_s,
  };
  const profile = options.profile || !result.met ? await profiled(stage, Math.min(n, profiled_codes)) : undefined;
  return { ...result, profile };
}

/** From the request until its action is done, as a client sees it; then the database must hold exactly what was asked for. */
async function generate(stage, service, name, n) {
  const { db } = stage;
  const { url } = service;
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "PERCENT", percent_off: 10 } };
  const campaign = { name, campaign_type: "DISCOUNT_COUPONS", type: "STATIC", vouchers_count: n, voucher };
  const before = await cpuNow(stage, service);
  const begun = performance.now();
  const { id, async_action_id } = JSON.parse(await askOnce(`${url}/v1/campaigns`, JSON.stringify(campaign)));
  const action = await untilEnded(`${url}/v1/async-actions/${async_action_id}`);
  const seconds = (performance.now() - begun) / 1000;
  const after = await cpuNow(stage, service);
  const grown = (part) => (after[part] === undefined ? undefined : after[part] - before[part]);
  const { rows } = await db.query(
    `select count(*)::int as stored, count(distinct code)::int as codes, count(distinct id)::int as ids
       from vouchers where project_id = $1 and campaign_id = $2 and deleted_at is null`,
    [project_id, id],
  );
  const said = [action.status, action.result?.message, rows[0].stored, rows[0].codes, rows[0].ids];
  const expected = ["DONE", `Generated ${n} vouchers.`, n, n, n];
  if (JSON.stringify(said) !== JSON.stringify(expected)) {
    throw new NotAsExpected(`the generation ended in ${JSON.stringify(said)}, not ${JSON.stringify(expected)}`);
  }
  await settle(db);
  return { campaign_id: id, seconds, cpu_s: { service: grown("service"), postgres: grown("postgres") } };
}

export const cpuNow = async (stage, service) => ({ service: service.cpu(), postgres: await stage.postgresCpu() });

export async function untilEnded(url) {
  for (const until = performance.now() + deadline_ms; performance.now() < until; await pause(poll_ms)) {
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new NotAsExpected(`${url} answers ${answer.status}: ${await answer.text()}`);
    const action = await answer.json();
    if (["DONE", "FAILED"].includes(action.status)) return action;
  }
  throw new NotAsExpected(`the action did not end within ${deadline_ms / 1000} s`);
}

/**
 * The rows that were just made, in their order, from a file of PostgreSQL's own: no network, no client, and of the
 * table's indexes only the two that keep ids and codes apart.
 */
export async function floorSeconds(db, campaign_id, n, rounds) {
  const { rows } = await db.query("show data_directory");
  const file = db.escapeLiteral(`${rows[0].data_directory}/floor_codes.copy`);
  const made = `select * from vouchers where project_id = ${db.escapeLiteral(project_id)} and campaign_id = ${db.escapeLiteral(campaign_id)}`;
  await db.query(`copy (${made} order by ctid) to ${file}`);
  await db.query(
    `create table floor_codes (like vouchers, primary key (project_id, id));
     create unique index floor_codes_code on floor_codes (project_id, code_key)`,
  );
  const took_s = [];
  for (let round = 0; round < rounds; round += 1) {
    await db.query("truncate floor_codes");
    await db.query("checkpoint");
    const begun = performance.now();
    const { rowCount } = await db.query(`copy floor_codes from ${file}`);
    took_s.push((performance.now() - begun) / 1000);
    if (rowCount !== n) throw new NotAsExpected(`the floor took ${rowCount} rows, not ${n}`);
  }
  await db.query("drop table floor_codes");
  return took_s;
}

/** Once more, smaller, on a service that is profiled: what a missed target is lost on. */
async function profiled(stage, n) {
  const profile_dir = await stage.newFolder();
  const service = await stage.startService({ profile_dir });
  await generate(stage, service, "codes-profiled-warm-up", warm_up_codes);
  const from_ms = service.age_ms();
  await generate(stage, service, "codes-profiled", n);
  const to_ms = service.age_ms();
  // Apart from the profile, since counting costs PostgreSQL a little. The checks of what was stored are not the service's.
  const statements = await statementsOf(stage.db, () => generate(stage, service, "codes-counted", n));
  await stage.stop(service);
  const of_service = statements.filter(({ query }) => !query.includes("count(distinct code)"));
  const whole = of_service.reduce((sum, { share }) => sum + share, 0);
  return {
    ...summaryOf(profile_dir, { from_ms, to_ms }),
    statements: of_service.map((one) => ({
      ...one,
      share: one.share / whole,
      per_request: (one.calls / n) * 1000,
    })),
  };
}
