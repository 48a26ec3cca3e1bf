// The sections of bench/RESULTS.md about the engine alone.
import { machineLines, profileOf, today, yes } from "../figures.mjs";
import { round_s } from "./measured.mjs";

const met = (result) => (result.met === null ? "" : yes(result.met));

const timing = ({ rps, rps_spread, p50_ms, p99_ms, cpu_us, floor_rps, floor_rps_spread, ratio }) =>
  `${rps} (${rps_spread}) | ${p50_ms}, ${p99_ms} | ${cpu_us} | ${floor_rps} (${floor_rps_spread}) | **${ratio}**`;

const opening = (machine, rounds) => [
  `Measured on ${today()}, without a server.`,
  ...machineLines(machine),
  `Median of ${rounds} rounds of ${round_s} s, ours and the floor in turn in one process after the same warm-up; each workload and size has a`,
  "process of its own. 64 different carts take turns.",
];

export function decideSection(heading, results, machine, { rounds }) {
  return [
    heading,
    "",
    ...opening(machine, rounds),
    "",
    "| Workload | Lines | Redeemables | Decisions/s | p50, p99 ms | CPU µs | Floor/s | Ratio | CPU p50, p99 ms | Target | Met | RSS MB |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...results.map(
      (result) =>
        `| \`${result.workload}\` | ${result.n} | ${result.redeemables} | ${timing(result)} | ${result.cpu_p50_ms}, ${result.cpu_p99_ms} | ${result.target ?? ""} | ${met(result)} | ${result.rss_mb} |`,
    ),
    "",
    "Ours: `decide` on facts that are ready, explanation off. The first code has three rules of one condition each, the others",
    "one; `decide` is 10 % off the order, a stack takes in turn that, 5 % off three lines of ten, an amount shared over them, an",
    "amount a unit, and a free unit. The floor (`bench/engine/closures.mjs`) is written by hand for just these: the same",
    "conditions and the same sums on plain objects. It knows no windows, limits, counters, stacking rules, other discounts,",
    "refusals or metadata, and says only what is left of each line. Before the clock starts every cart must come to the same",
    "money, line by line, on both sides. p50 and p99 count waiting for a core, their CPU does not: it is what the target is about.",
    "",
    ...results.flatMap((result) => profileOf(result)),
  ].join("\n");
}

export function qualifySection(heading, results, machine, { rounds }) {
  const found = results.filter(({ workload }) => workload === "qualify");
  const edited = results.filter(({ workload }) => workload === "qualify_edits");
  return [
    heading,
    "",
    ...opening(machine, rounds),
    "",
    "| n | Carts/s | p50, p99 ms | CPU µs | Floor/s | Ratio | Target | Met | Found, asked | Nothing compiled: p50, p99 ms | All rules judged, ms |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...found.map(
      (result) =>
        `| ${result.n} | ${timing(result)} | ${result.target ?? ""} | ${met(result)} | ${result.matches}, ${result.candidates} | ${result.cold_p50_ms}, ${result.cold_p99_ms} | ${result.all_rules_p50_ms} |`,
    ),
    "",
    "Ours: the order normalised, the index asked, then each survivor's own window and rule; rules are kept as JSON text and the",
    "10,000 used last compiled. Nothing compiled: the same when each survivor's rule has to be compiled first. The floor is one",
    "closure written by hand for each promotion, asked one after the other over plain sets and numbers; it knows only the seven",
    "kinds of rules that are here. All rules judged: every rule kept compiled and judged, without the index. The index, the",
    "closures and, for as many carts as there is time for, all rules judged must find the same promotions, or nothing is printed.",
    "One promotion in five is outside its dates. Found, asked: how many promotions a cart gets, and how many rules were judged for it.",
    "",
    "| n | Putting all, ms | Compiling for it, ms | Growth MB | of it texts | RSS MB | Growth of keeping all compiled, MB |",
    "|---|---|---|---|---|---|---|",
    ...found.map(
      ({ n, build_ms, compile_ms, growth_mb, texts_mb, rss_mb, kept_growth_mb }) =>
        `| ${n} | ${build_ms} | ${compile_ms} | ${growth_mb} | ${texts_mb} | ${rss_mb} | ${kept_growth_mb} |`,
    ),
    "",
    ...editsTable(edited),
    ...found.flatMap((result) => profileOf({ ...result, workload: `qualify, n = ${result.n}` })),
  ].join("\n");
}

function editsTable(edited) {
  if (edited.length === 0) return [];
  const cell = ({ mean_us, p50_us, p99_us, max_us }) => `${mean_us}; ${p50_us}, ${p99_us}, ${max_us}`;
  return [
    "Edits of the index, its predicates ready: mean; p50, p99 and longest, in microseconds. Of 5,000 each; the longest is a",
    "column that grows, or rubbish being collected.",
    "",
    "| n | Put a new one | Replace one | Remove one |",
    "|---|---|---|---|",
    ...edited.map(({ n, put, replace, remove }) => `| ${n} | ${cell(put)} | ${cell(replace)} | ${cell(remove)} |`),
    "",
  ];
}
