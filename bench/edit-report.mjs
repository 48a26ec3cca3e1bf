// The section of bench/RESULTS.md about edits.
import { machineLines, today, yes } from "./figures.mjs";

export function editSection(heading, [result], machine) {
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    `Median of ${result.slices} slices of a second without edits and as many with them, in turn.`,
    "",
    "| Promotions | Clients | Requests/s without, with | p50 ms without, with | p99 ms without | p99 ms with | CPU µs without, with | Rise | Target | Met | RSS MB |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    `| ${result.n} | ${result.concurrency} | ${result.quiet_rps}, ${result.rps} | ${result.quiet_p50_ms}, ${result.p50_ms} | ${result.quiet_p99_ms} (${result.quiet_p99_spread}) | ${result.p99_ms} (${result.p99_spread}) | ${result.quiet_cpu_us}, ${result.cpu_us} | **${result.rise}** | ≤ ${result.target} | ${yes(result.met)} | ${result.rss_mb} |`,
    "",
    `Clients validate codes as in \`validate\`. Meanwhile, every ${result.edits_every_ms} ms, a promotion is asked for, its rule is changed by`,
    `\`PUT /v1/validation-rules/…\`, and it is asked for again: all ${result.edits} edits were seen by the request after them. An edit took`,
    `${result.edit_p50_ms} ms, the request after it ${result.seen_p50_ms} ms. The first request after the start, which waits for what a new service`,
    `has to read, took ${result.first_ms} ms.`,
  ].join("\n");
}
