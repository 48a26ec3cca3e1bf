// The workload `hostile`: one project asks for the worst that is allowed, another validates now and then and is hardly to feel it.
import { Worker } from "node:worker_threads";
import { NotAsExpected } from "./as-expected.mjs";
import { machineLines, rounded, today, yes } from "./figures.mjs";
import { attacks } from "./hostile-attacks.mjs";
import { neighbour_pause_ms, neighbourOf, quantilesOf } from "./neighbour.mjs";
import { management_headers, settle } from "./stage.mjs";
import { makeFloor, stock } from "./stock.mjs";

const ratio_most = 3;
/** A quantile of fewer would be that of a few requests. */
const asked_least = 200;

/** `workload` are the neighbour's validations. */
export async function hostile(stage, { rounds, seconds }, workload) {
  console.error("hostile");
  const service = await stage.startService();
  await makeFloor(stage.db);
  await stock(stage.db, service.url, 1000);
  const attacker = await attackerOf(service.url);
  const neighbour = neighbourOf(service.url, workload);
  await neighbour.during(3000);
  const rows = [];
  const measure = async (name, said, names, slice_s) => {
    const attack = { start: () => attacker("start", names), end: () => attacker("end") };
    const row = { name, said, ...(await measured(stage, neighbour, attack, { rounds, slice_s })) };
    console.error(`  ${name}: p99 ${rounded(row.quiet.p99_ms, 1)} → ${rounded(row.attacked.p99_ms, 1)} ms; ${said}`);
    rows.push(row);
  };
  const names = Object.keys(attacks);
  for (const name of names) await measure(name, await attacker("prepare", name), [name], seconds / 2);
  await measure("all of them", "", names, seconds);
  const rss_mb = service.rss_mb();
  await attacker.stop();
  await stage.stop(service);
  const { ratio, attacked } = rows.at(-1);
  return {
    workload: "hostile",
    target: ratio_most,
    met: ratio <= ratio_most && attacked.failed === 0,
    ratio,
    rows,
    rss_mb,
  };
}

/** A project of its own, asked from a thread of its own: else the neighbour would wait for whoever measures it. */
async function attackerOf(url) {
  const made = await fetch(`${url}/management/v1/projects`, {
    method: "POST",
    headers: management_headers,
    body: JSON.stringify({ name: "hostile" }),
  });
  if (made.status !== 200) throw new NotAsExpected(`a project answers ${made.status}: ${await made.text()}`);
  const { app_id, app_token } = (await made.json()).server_side_key;
  const own = { "content-type": "application/json", "x-app-id": app_id, "x-app-token": app_token };
  const worker = new Worker(new URL("./hostile-worker.mjs", import.meta.url), { workerData: { url, headers: own } });
  const attacker = (does, what) =>
    new Promise((answer, fail) => {
      worker.once("message", ({ failed, answered }) => (failed ? fail(new NotAsExpected(failed)) : answer(answered)));
      worker.postMessage({ does, what });
    });
  return Object.assign(attacker, { stop: () => worker.terminate() });
}

/** Slices without the attack and with it, in turn, so that what else the machine does falls on both alike. */
async function measured(stage, neighbour, attack, { rounds, slice_s }) {
  const answers = { quiet: [], attacked: [] };
  const statuses = {};
  for (let round = 0; round < rounds; round += 1) {
    answers.quiet.push(...(await neighbour.during(slice_s * 1000)));
    await attack.start();
    answers.attacked.push(...(await neighbour.during(slice_s * 1000)));
    for (const [status, count] of Object.entries(await attack.end()))
      statuses[status] = (statuses[status] ?? 0) + count;
    await settle(stage.db);
  }
  const [quiet, attacked] = [answers.quiet, answers.attacked].map(quantilesOf);
  return { quiet, attacked, ratio: attacked.p99_ms / quiet.p99_ms, statuses };
}

export function hostileSection(heading, [{ rows, target, met, rss_mb }], machine, { rounds }) {
  const ms = (quiet, attacked) => `${rounded(quiet, 1)}, ${rounded(attacked, 1)}`;
  const few = rows.some(({ attacked }) => attacked.asked < asked_least);
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    `A quiet project validates, one request after another with ${neighbour_pause_ms} ms between, while another project does the worst that`,
    `is allowed: ${rounds} slices without and as many with it, in turn. Target: p99 with at most ${target} times p99 without, with all of them: ${yes(met)}.`,
    "",
    "| Attack | p50 ms without, with | p99 ms without, with | Longest ms without, with | Ratio of p99 | Its answers, of them no success | Answers to the attack |",
    "|---|---|---|---|---|---|---|",
    ...rows.map(
      ({ name, quiet, attacked, ratio, statuses }) =>
        `| ${name} | ${ms(quiet.p50_ms, attacked.p50_ms)} | ${ms(quiet.p99_ms, attacked.p99_ms)} | ${ms(quiet.most_ms, attacked.most_ms)} | **${rounded(ratio, 1)}** | ${attacked.asked}, ${attacked.failed} | ${Object.entries(
          statuses,
        )
          .map(([status, count]) => `${count} × ${status}`)
          .join(", ")} |`,
    ),
    "",
    ...rows.filter(({ said }) => said !== "").map(({ name, said }) => `- **${name}**: ${said}.`),
    "",
    `The process reached ${rss_mb} MB.${few ? " Some slices hold too few requests for a p99: read the longest." : ""}`,
  ].join("\n");
}
