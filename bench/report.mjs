// What a run says: a JSON line a workload, and the page bench/RESULTS.md.

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const rounded = (number, digits = 0) => Number(number.toFixed(digits));
const spread = (numbers) => `${Math.round(Math.min(...numbers))}–${Math.round(Math.max(...numbers))}`;

/** Medians over the rounds, with their spread. */
export function resultOf({ name, n, target, options, ours, floor, rss_mb }) {
  const of = (side, field) => side.rounds.map((round) => round[field]);
  const rps = median(of(ours, "rps"));
  const floor_rps = median(of(floor, "rps"));
  return {
    workload: name,
    n,
    concurrency: options.concurrency,
    rps,
    p50_ms: median(of(ours, "p50_ms")),
    p99_ms: median(of(ours, "p99_ms")),
    floor_rps,
    ratio: rps / floor_rps,
    rss_mb,
    target,
    met: rps / floor_rps >= target,
    spread: { rps: spread(of(ours, "rps")), floor_rps: spread(of(floor, "rps")) },
    cpu_us: { ours: medianCpu(ours), floor: medianCpu(floor) },
  };
}

function medianCpu({ rounds }) {
  return Object.fromEntries(
    Object.keys(rounds[0].cpu_us).map((part) => [part, median(rounds.map(({ cpu_us }) => cpu_us[part]))]),
  );
}

export function jsonLineOf({ workload, n, concurrency, rps, p50_ms, p99_ms, floor_rps, ratio, rss_mb }) {
  return JSON.stringify({
    workload,
    n,
    concurrency,
    rps: rounded(rps),
    p50_ms: rounded(p50_ms, 2),
    p99_ms: rounded(p99_ms, 2),
    floor_rps: rounded(floor_rps),
    ratio: rounded(ratio, 3),
    rss_mb,
  });
}

/** The page for people. */
export function resultsPage(results, machine, { rounds, seconds, full }) {
  const { cpu, cores, memory_gb, node, postgres, connections, load_before } = machine;
  return `${[
    "# How fast it is",
    "",
    `Written by \`npm run bench${full ? " -- --full" : ""}\` on ${new Date().toISOString().slice(0, 10)}. Ratios count; absolute figures move with the machine.`,
    "",
    `Machine: ${cores} cores (${cpu}), ${memory_gb} GB; Node.js ${node}, PostgreSQL ${postgres}, ${connections} connections a pool.`,
    ...(load_before < cores / 4
      ? []
      : [
          `**The machine was busy with something else (load ${load_before.toFixed(1)}): look at the ratios and at the CPU per request only.**`,
        ]),
    `Median of ${rounds} rounds of ${seconds} s, ours and the floor in turn after the same warm-up; the load generator, the`,
    "service and PostgreSQL share the cores. The floor is `bench/floor.mjs`: the same request body parsed, one statement, a",
    "reply as long as ours. Sampled answers are held against what they must say, and the database against the answers: a run",
    "in which they differ prints nothing.",
    "",
    "| Workload | n | Clients | Requests/s | p50, p99 ms | Floor/s | Ratio | Target | Met | RSS MB |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...results.map(rowOf),
    "",
    ...results.flatMap(scaleOf),
    "`validate`: one code, a cart of five lines, a rule of three conditions. `redeem_spread`: codes all over the stock under",
    "the same rule, each redemption with a customer and an order never seen before, its events and its campaign's counters.",
    "`redeem_hot`: the same on one code; a",
    "code limited to 500 was then asked for 1,500 times and gave 500, and nothing ended in a deadlock.",
    "",
    "## Where the time goes",
    "",
    "CPU per request in microseconds, of all cores together:",
    "",
    "| Workload | Service | PostgreSQL | Load generator | Floor's service | Floor's PostgreSQL | PostgreSQL's share of ours |",
    "|---|---|---|---|---|---|---|",
    ...results.map(cpuRowOf),
    "",
    ...results.flatMap(profileOf),
  ].join("\n")}`;
}

const rowOf = ({ workload, n, concurrency, rps, spread, p50_ms, p99_ms, floor_rps, ratio, target, met, rss_mb }) =>
  `| \`${workload}\` | ${n} | ${concurrency} | ${rounded(rps)} (${spread.rps}) | ${rounded(p50_ms, 1)}, ${rounded(p99_ms, 1)} | ${rounded(floor_rps)} (${spread.floor_rps}) | **${rounded(ratio, 2)}** | ≥ ${target} | ${met ? "yes" : "no"} | ${rss_mb} |`;

function scaleOf({ workload, n, rps, few, cpu_us }) {
  if (!few) return [];
  // One size is measured after the other, so a machine with other work may call either the faster; the CPU tells better.
  const cpu = ({ ours }) => (ours.postgres === undefined ? "?" : ours.service + ours.postgres);
  return [
    `\`${workload}\` with ${n} vouchers stored does ${rounded(rps)}/s for ${cpu(cpu_us)} µs of CPU each, with ${few.n}`,
    `${rounded(few.rps)}/s for ${cpu(few.cpu_us)} µs: ${rounded(few.share * 100)} % (target: at least 90 %, ${few.share >= 0.9 ? "met" : "missed"}).`,
    "",
  ];
}

function cpuRowOf({ workload, cpu_us: { ours, floor } }) {
  const share =
    ours.postgres === undefined ? "?" : `${rounded((ours.postgres / (ours.postgres + ours.service)) * 100)} %`;
  const cells = [ours.service, ours.postgres, ours.load, floor.service, floor.postgres].map((us) => us ?? "?");
  return `| \`${workload}\` | ${cells.join(" | ")} | ${share} |`;
}

/** The start of a statement, which names what it does; a bar would end the cell of the table. */
const shortened = (query) => query.slice(0, 110).replaceAll("|", "\\|").replaceAll("`", "'");

function profileOf({ workload, profile, met, ratio, target }) {
  if (!profile) return [];
  const percent = (share) => `${rounded(share * 100, 1)} %`;
  return [
    `### \`${workload}\`${met ? "" : `: ${rounded(ratio, 2)} where ${target} is wanted`}`,
    "",
    `The service's own time while it is profiled (idle ${percent(profile.idle_share)}), by whose it is, the system calls and`,
    profile.owners
      .map(({ name, share }) => `${name} ${percent(share)}`)
      .join(", ")
      .concat("."),
    "",
    "| Self time | Function |",
    "|---|---|",
    ...profile.functions.map(({ name, share }) => `| ${percent(share)} | \`${name}\` |`),
    "",
    "PostgreSQL's time by statement, waiting for locks included:",
    "",
    "| Share | A request | Mean ms | Statement |",
    "|---|---|---|---|",
    ...profile.statements.map(
      ({ share, per_request, mean_ms, query }) =>
        `| ${percent(share)} | ${rounded(per_request, 2)} | ${rounded(mean_ms, 3)} | \`${shortened(query)}\` |`,
    ),
    "",
  ];
}
