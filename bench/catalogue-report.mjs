// The section of bench/RESULTS.md about catalogues.
import { machineLines, today, yes } from "./figures.mjs";

export function catalogueSection(heading, [result], machine) {
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    "",
    "| Promotions | First answer, ms | Target | The next, ms | RSS MB before | RSS MB highest | Target | Met |",
    "|---|---|---|---|---|---|---|---|",
    `| ${result.n} | **${result.first_ms}** | ≤ ${result.first_ms_target} | ${result.second_ms} | ${result.empty_rss_mb} | **${result.rss_mb}** | ≤ ${result.rss_mb_target} | ${yes(result.met)} |`,
    "",
    `Median of ${result.rounds} services that start beside promotions of two conditions each, a campaign, a tier and a rule for each.`,
    "The first answer waits for them to be read. RSS is that of the service's process, the index of qualification apart: it is made",
    "when a qualification first asks for it.",
  ].join("\n");
}
