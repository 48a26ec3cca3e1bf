// The workloads `qualify` and `qualify_edits`: a cart against n active promotions through the index, and edits of the index.
import { rounded } from "../figures.mjs";
import { measuredApart } from "./apart.mjs";
import { besideFloor, heldAgainst, least, most, round_s, significant, withProfile } from "./measured.mjs";

const module = "./qualify-apart.mjs";
const sizes = [
  { n: 1e2, targets: { p50_ms: most(0.3) } },
  { n: 1e3, targets: {} },
  { n: 1e4, targets: { p50_ms: most(0.5) } },
  { n: 1e5, targets: { p50_ms: most(2), ratio: least(5) }, edits: true },
  { n: 1e6, targets: { p50_ms: most(10), rss_mb: most(1024) }, edits: true },
];

/** Answers a result for each size up to `--promotions`, and one for the edits of the larger ones. */
export async function qualify({ rounds, profile, promotions }, said) {
  const results = [];
  for (const { n, targets, edits = false } of sizes.filter((size) => size.n <= promotions)) {
    console.error(`qualify, n = ${n}`);
    const options = { n, rounds, seconds: round_s, edits };
    const measured = await measuredApart(module, options);
    const line = heldAgainst({ ...besideFloor({ workload: "qualify", ...measured }), ...besides(measured) }, targets);
    results.push(await withProfile(line, { profile }, module, options));
    said(results.at(-1));
    if (!edits) continue;
    results.push({ workload: "qualify_edits", n, ...editsLine(measured.edits) });
    said(results.at(-1));
  }
  return results;
}

function besides(measured) {
  const figures = ["cold_p50_ms", "cold_p99_ms", "all_rules_p50_ms"].map((field) => [
    field,
    significant(measured[field]),
  ]);
  const whole = ["matches", "candidates", "build_ms", "compile_ms", "growth_mb", "texts_mb", "kept_growth_mb"].map(
    (field) => [field, rounded(measured[field])],
  );
  return Object.fromEntries([...figures, ...whole]);
}

const editsLine = (edits) =>
  Object.fromEntries(
    Object.entries(edits).map(([edit, took]) => [
      edit,
      Object.fromEntries(Object.entries(took).map(([field, us]) => [field, significant(us)])),
    ]),
  );
