// The workload `edit`: a promotion is changed while others validate; the very next request sees it, and the others hardly wait.
import { setTimeout as pause } from "node:timers/promises";
import { NotAsExpected } from "./as-expected.mjs";
import { median, rounded, spread } from "./figures.mjs";
import { askOnce, load, warmUp } from "./load.mjs";
import { idOf, rulesOf, stockPromotions } from "./promoted.mjs";
import { headers, settle } from "./stage.mjs";

const n_max = 1e5;
/** What the validations that go on meanwhile are spread over. */
export const vouchers_beside_edits = 1000;
const edits_every_ms = 200;
/** Short, so that what else the machine does falls on both sides alike. */
const slice_s = 1;
const rise_most = 1.5;

/** `workload` are those validations. */
export async function edit(stage, { promotions, rounds, seconds }, workload) {
  const n = Math.min(promotions, n_max);
  console.error(`edit, n = ${n}`);
  await stockPromotions(stage, n, vouchers_beside_edits);
  const service = await stage.startService();
  const begun = performance.now();
  await askOnce(`${service.url}/v1/validations`, workload.request(0).body);
  const first_ms = performance.now() - begun;
  const url = `${service.url}/v1/validations`;
  const { rps } = await warmUp(url, workload);
  const editing = editor(service.url, n);
  const measured = { quiet: [], edited: [] };
  for (let slice = 0; slice < rounds * seconds; slice += 1) {
    for (const side of ["quiet", "edited"]) {
      await settle(stage.db);
      const amount = Math.max(workload.concurrency, Math.round((measured[side].at(-1)?.rps ?? rps) * slice_s));
      const cpu_before = service.cpu();
      const loading = load(url, { ...workload, amount });
      if (side === "edited") await editing.until(loading);
      const loaded = await loading;
      measured[side].push({ ...loaded, cpu_us: ((service.cpu() - cpu_before) / loaded.answered) * 1e6 });
    }
  }
  const rss_mb = service.rss_mb();
  await stage.stop(service);
  return resultOf({ n, workload, measured, ...editing.done(), first_ms, rss_mb });
}

function resultOf({ n, workload, measured: { quiet, edited }, took, editing_ms, first_ms, rss_mb }) {
  const of = (all, field) => rounded(median(all.map((one) => one[field])), 2);
  const [p99_ms, quiet_p99_ms] = [of(edited, "p99_ms"), of(quiet, "p99_ms")];
  const rise = rounded(p99_ms / quiet_p99_ms, 2);
  return {
    workload: "edit",
    n,
    concurrency: workload.concurrency,
    rps: Math.round(of(edited, "rps")),
    p50_ms: of(edited, "p50_ms"),
    p99_ms,
    quiet_rps: Math.round(of(quiet, "rps")),
    quiet_p50_ms: of(quiet, "p50_ms"),
    quiet_p99_ms,
    quiet_p99_spread: spread(quiet.map((slice) => slice.p99_ms)),
    p99_spread: spread(edited.map((slice) => slice.p99_ms)),
    slices: quiet.length,
    cpu_us: Math.round(of(edited, "cpu_us")),
    quiet_cpu_us: Math.round(of(quiet, "cpu_us")),
    rise,
    target: rise_most,
    met: rise <= rise_most,
    edits: took.length,
    edits_every_ms: Math.round(editing_ms / took.length),
    edit_p50_ms: of(took, "edit_ms"),
    seen_p50_ms: of(took, "seen_ms"),
    first_ms: Math.round(first_ms),
    rss_mb,
  };
}

/** Changes one promotion after another so that it no longer applies, and asks at once whether it does. */
function editor(url, n) {
  const took = [];
  let edited = 0;
  let editing_ms = 0;
  const applies = async (i) => {
    const body = {
      redeemables: [{ object: "promotion_tier", id: idOf("promotion_tiers", i) }],
      order: { items: [{ product_id: `prod_${i}`, quantity: 1, price: 5000 }] },
    };
    return JSON.parse(await askOnce(`${url}/v1/validations`, JSON.stringify(body))).valid;
  };
  const once = async () => {
    // A step that no size is a multiple of, so that each promotion has its turn once.
    const i = 1 + ((edited * 7919) % n);
    edited += 1;
    if (!(await applies(i))) throw new NotAsExpected(`promotion ${i} does not apply before it is changed`);
    const begun = performance.now();
    const rule = JSON.stringify({ name: "Promoted", rules: rulesOf(i, 1e9) });
    const answer = await fetch(`${url}/v1/validation-rules/${idOf("validation_rules", i)}`, {
      method: "PUT",
      headers,
      body: rule,
    });
    if (answer.status !== 200) throw new NotAsExpected(`the edit answers ${answer.status}: ${await answer.text()}`);
    await answer.text();
    const done = performance.now();
    if (await applies(i)) throw new NotAsExpected(`the edit of promotion ${i} is not seen by the next request`);
    took.push({ edit_ms: done - begun, seen_ms: performance.now() - done });
  };
  return {
    done: () => ({ took, editing_ms }),
    async until(loading) {
      let running = true;
      const stop = () => {
        running = false;
      };
      loading.then(stop, stop);
      while (running) {
        const begun = performance.now();
        await once();
        await pause(Math.max(0, edits_every_ms - (performance.now() - begun)));
        editing_ms += performance.now() - begun;
      }
    },
  };
}
