// The workloads `decide`, `decide_stack` and `decide_large`: the engine's decisions beside closures written by hand.
import { measuredApart } from "./apart.mjs";
import { besideFloor, heldAgainst, most, round_s, significant, withProfile } from "./measured.mjs";

const module = "./decide-apart.mjs";
const sizes = [
  { workload: "decide", lines: 5, redeemables: 1, targets: {} },
  { workload: "decide_stack", lines: 50, redeemables: 5, targets: {} },
  { workload: "decide_large", lines: 500, redeemables: 30, targets: { cpu_p99_ms: most(50) } },
];

/** Answers a result for each size. `n` is the number of lines. */
export async function decide({ rounds, profile }, said) {
  const results = [];
  for (const { workload, lines, redeemables, targets } of sizes) {
    console.error(`${workload}, ${lines} lines, ${redeemables} redeemables`);
    const options = { lines, redeemables, rounds, seconds: round_s };
    const measured = await measuredApart(module, options);
    const [cpu_p50_ms, cpu_p99_ms] = [measured.cpu_p50_ms, measured.cpu_p99_ms].map(significant);
    const line = { ...besideFloor({ workload, n: lines, ...measured }), cpu_p50_ms, cpu_p99_ms, redeemables };
    results.push(await withProfile(heldAgainst(line, targets), { profile }, module, options));
    said(results.at(-1));
  }
  return results;
}
