// What a run says: a JSON line a workload, and the page bench/RESULTS.md.
import { catalogueSection } from "./catalogue-report.mjs";
import { editSection } from "./edit-report.mjs";
import { decideSection, qualifySection } from "./engine/report.mjs";
import { machineLines, median, profileOf, rounded, spread, today, yes } from "./figures.mjs";
import { hostileSection } from "./hostile.mjs";
import { importSection } from "./import.mjs";
import { listingsSection } from "./listings.mjs";
import { loyaltySection } from "./loyalty.mjs";
import { qualificationSection } from "./qualification.mjs";
import { secondPhaseSection } from "./second-phase.mjs";

/** Medians over the rounds, with their spread. One client alone is told by its p50, many by how many they are answered in a second. */
export function resultOf({ name, n, target, options, ours, floor, rss_mb }) {
  const of = (side, field) => side.rounds.map((round) => round[field]);
  const rps = median(of(ours, "rps"));
  const floor_rps = median(of(floor, "rps"));
  const p50_ms = median(of(ours, "p50_ms"));
  const floor_p50_ms = median(of(floor, "p50_ms"));
  const ratio = options.concurrency === 1 ? floor_p50_ms / p50_ms : rps / floor_rps;
  return {
    workload: name,
    n,
    concurrency: options.concurrency,
    rps,
    p50_ms,
    p99_ms: median(of(ours, "p99_ms")),
    floor_rps,
    floor_p50_ms,
    ratio,
    rss_mb,
    target,
    met: target === undefined ? undefined : ratio >= target,
    spread: { rps: spread(of(ours, "rps")), floor_rps: spread(of(floor, "rps")) },
    cpu_us: { ours: medianCpu(ours), floor: medianCpu(floor) },
  };
}

function medianCpu({ rounds }) {
  return Object.fromEntries(
    Object.keys(rounds[0].cpu_us).map((part) => [part, median(rounds.map(({ cpu_us }) => cpu_us[part]))]),
  );
}

const of_requests = ["validate", "redeem_spread", "redeem_hot", "redeem_rows", "redeem_alone", "redeem_stack"];

export function jsonLineOf(result) {
  if (result.workload === "codes") return codesLineOf(result);
  if (!of_requests.includes(result.workload)) return JSON.stringify({ ...result, profile: undefined });
  const { workload, n, concurrency, rps, p50_ms, p99_ms, floor_rps, floor_p50_ms, ratio, rss_mb } = result;
  return JSON.stringify({
    workload,
    n,
    concurrency,
    rps: rounded(rps),
    p50_ms: rounded(p50_ms, 2),
    p99_ms: rounded(p99_ms, 2),
    floor_rps: rounded(floor_rps),
    floor_p50_ms: rounded(floor_p50_ms, 2),
    ratio: rounded(ratio, 3),
    rss_mb,
  });
}

function codesLineOf({ workload, n, seconds, floor_seconds, ratio, rss_growth_mb }) {
  return JSON.stringify({
    workload,
    n,
    seconds: rounded(seconds, 1),
    floor_seconds: rounded(floor_seconds, 2),
    ratio: rounded(ratio, 2),
    rss_growth_mb,
  });
}

const sections = [
  {
    heading: "# How fast it is",
    holds: of_requests,
    write: requestsPage,
  },
  { heading: "## `catalogue`: the first answer", holds: ["catalogue"], write: catalogueSection },
  { heading: "## `edit`: promotions that change", holds: ["edit"], write: editSection },
  {
    heading: "## `decide`: the engine's decisions",
    holds: ["decide", "decide_stack", "decide_large"],
    write: decideSection,
  },
  {
    heading: "## `qualify`: the index over promotions",
    holds: ["qualify", "qualify_edits"],
    write: qualifySection,
  },
  { heading: "## `codes`: generating codes", holds: ["codes"], write: codesSection },
  { heading: "## `import`: vouchers from files", holds: ["import"], write: importSection },
  { heading: "## `listings`: pages and filters", holds: ["listings"], write: listingsSection },
  { heading: "## `qualification`: what a cart could use", holds: ["qualification"], write: qualificationSection },
  { heading: "## `second_phase`: what follows an answer", holds: ["second_phase"], write: secondPhaseSection },
  { heading: "## `loyalty`: points that come and go", holds: ["loyalty"], write: loyaltySection },
  { heading: "## `hostile`: a neighbour that does its worst", holds: ["hostile"], write: hostileSection },
];

/** The page for people. A section of which nothing was measured stays as written. */
export function pageOf(results, machine, options, written) {
  const starts = sections.map(({ heading }) => written.indexOf(heading));
  const asWritten = (start) => {
    if (start < 0) return "";
    const next = starts.filter((other) => other > start);
    return written.slice(start, Math.min(written.length, ...next));
  };
  const parts = sections.map(({ heading, holds, write }, i) => {
    const measured = results.filter(({ workload }) => holds.includes(workload));
    return (measured.length > 0 ? write(heading, measured, machine, options) : asWritten(starts[i])).trim();
  });
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function codesSection(heading, [result], machine, { rounds }) {
  const { n, seconds, floor_seconds, floor_spread, ratio, target, met, rss_growth_mb, rss_target_mb, cpu_s } = result;
  const cpu = (part_s) => (part_s === undefined ? "?" : `${rounded(part_s, 1)} s`);
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    "",
    "| n | Seconds | Floor, seconds | Ratio | Target | Met | RSS growth MB | Target | Met |",
    "|---|---|---|---|---|---|---|---|---|",
    `| ${n} | ${rounded(seconds, 1)} | ${rounded(floor_seconds, 2)} (${floor_spread.map((s) => rounded(s, 2)).join("–")}) | **${rounded(ratio, 2)}** | ≤ ${target} | ${yes(met)} | ${rss_growth_mb} | ≤ ${rss_target_mb} | ${yes(rss_growth_mb <= rss_target_mb)} |`,
    "",
    "Ours, once: from the request for the campaign until its action is seen to be done. RSS growth: from the start of the",
    "service to its highest. Exactly n vouchers were stored then, none of their codes or ids twice, and the action said so.",
    `The floor, median of ${rounds}: one COPY of the very same rows, in their order, from a file on PostgreSQL's own disk into an`,
    "empty table with the columns of `vouchers`, its primary key and its unique index on codes, and none of its other indexes",
    "and checks.",
    "",
    `CPU meanwhile: service ${cpu(cpu_s.service)}, PostgreSQL ${cpu(cpu_s.postgres)}.`,
    "",
    ...profileOf(result, "Per 1,000 codes"),
  ].join("\n");
}

function requestsPage(heading, results, machine, { rounds, seconds, full }) {
  return `${[
    heading,
    "",
    `Written by \`npm run bench${full ? " -- --full" : ""}\` on ${today()}. Ratios count; absolute figures move with the machine.`,
    "",
    ...machineLines(machine),
    `Median of ${rounds} rounds of ${seconds} s, ours and the floor in turn, each warmed up by 64 clients; the load generator, the`,
    "service and PostgreSQL share the cores. The floor is `bench/floor.mjs`: the same request body parsed, one statement, a",
    "reply as long as ours. Sampled answers are held against what they must say, and the database against the answers: a run",
    "in which they differ prints nothing.",
    "",
    "| Workload | n | Clients | Requests/s | p50, p99 ms | Floor/s | Floor's p50 ms | Ratio | Target | Met | RSS MB |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...results.map(rowOf),
    "",
    ...results.flatMap(scaleOf),
    "`validate`: one code, a cart of five lines, a rule of three conditions. `redeem_spread`: codes all over the stock under",
    "the same rule, each redemption with a customer and an order never seen before, its events and its campaign's counters.",
    "`redeem_hot`: the same on one code; a",
    "code limited to 500 was then asked for 1,500 times and gave 500, and nothing ended in a deadlock. `redeem_rows`: as",
    "`redeem_spread`, beside a floor that writes the same facts (customer, order with its lines, redemption, usage, one event, one",
    "row for the second phase) in one statement, with primary keys and unique source ids alone. `redeem_alone`: one client that",
    "waits for each answer; its ratio is the floor's p50 to ours. `redeem_stack`: three codes at once whose campaign has a budget of redemptions; its floor counts three.",
    "",
    "## Where the time goes",
    "",
    "CPU per request in microseconds, of all cores together:",
    "",
    "| Workload | Service | PostgreSQL | Load generator | Floor's service | Floor's PostgreSQL | PostgreSQL's share of ours |",
    "|---|---|---|---|---|---|---|",
    ...results.map(cpuRowOf),
    "",
    ...results.flatMap((result) => profileOf(result, "A request")),
  ].join("\n")}`;
}

const rowOf = ({
  workload,
  n,
  concurrency,
  rps,
  spread,
  p50_ms,
  p99_ms,
  floor_rps,
  floor_p50_ms,
  ratio,
  target,
  met,
  rss_mb,
}) =>
  `| \`${workload}\` | ${n} | ${concurrency} | ${rounded(rps)} (${spread.rps}) | ${rounded(p50_ms, 1)}, ${rounded(p99_ms, 1)} | ${rounded(floor_rps)} (${spread.floor_rps}) | ${rounded(floor_p50_ms, 2)} | **${rounded(ratio, 2)}** | ${target === undefined ? "" : `≥ ${target}`} | ${target === undefined ? "" : yes(met)} | ${rss_mb} |`;

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
