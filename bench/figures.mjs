// What the sections of bench/RESULTS.md have in common.

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
export const rounded = (number, digits = 0) => Number(number.toFixed(digits));
export const spread = (numbers, digits = 0) =>
  `${rounded(Math.min(...numbers), digits)}–${rounded(Math.max(...numbers), digits)}`;
export const yes = (is_met) => (is_met ? "yes" : "no");
export const today = () => new Date().toISOString().slice(0, 10);

const percent = (share) => `${rounded(share * 100, 1)} %`;

export function machineLines({ cpu, cores, memory_gb, node, postgres, connections, load_before }) {
  const database = postgres === undefined ? "" : `, PostgreSQL ${postgres}, ${connections} connections a pool`;
  return [
    `Machine: ${cores} cores (${cpu}), ${memory_gb} GB; Node.js ${node}${database}.`,
    ...(load_before < cores / 4
      ? []
      : [
          `**The machine was busy with something else (load ${load_before.toFixed(1)}): look at the ratios and at the CPU per request only.**`,
        ]),
  ];
}

/** The start of a statement, which names what it does; a bar would end the cell of the table. */
const shortened = (query) => query.slice(0, 110).replaceAll("|", "\\|").replaceAll("`", "'");

/** Where the time goes, of the service or of the engine alone; nothing when that was not looked at. */
export function profileOf({ workload, profile, met, ratio, target, missed }, per) {
  if (!profile) return [];
  const wanted =
    missed === undefined ? `${rounded(ratio, 2)} where ${target} is wanted` : `${missed} where ${target} is wanted`;
  return [
    `### \`${workload}\`${met === false ? `: ${wanted}` : ""}`,
    "",
    `Its own time while it is profiled (idle ${percent(profile.idle_share)}), by whose it is, the system calls and`,
    profile.owners
      .map(({ name, share }) => `${name} ${percent(share)}`)
      .join(", ")
      .concat("."),
    "",
    "| Self time | Function |",
    "|---|---|",
    ...profile.functions.map(({ name, share }) => `| ${percent(share)} | \`${name}\` |`),
    "",
    ...statementsTable(profile.statements, per),
  ];
}

function statementsTable(statements, per) {
  if (!statements) return [];
  return [
    "PostgreSQL's time by statement, waiting for locks included:",
    "",
    `| Share | ${per} | Mean ms | Statement |`,
    "|---|---|---|---|",
    ...statements.map(
      ({ share, per_request, mean_ms, query }) =>
        `| ${percent(share)} | ${rounded(per_request, 2)} | ${rounded(mean_ms, 3)} | \`${shortened(query)}\` |`,
    ),
    "",
  ];
}
