import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** What the figures were measured on; asked before anything runs, for how many others want the cores by then. */
export const machineNow = () => ({
  cpu: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  load_before: loadavg()[0],
  steps_ms: stepsMs(),
});

/**
 * What a core takes for a hundred million steps that wait for each other, the least of three. On one machine it was 135 to 665 ms within two
 * minutes of an afternoon, and absolute figures move with it.
 */
function stepsMs() {
  const took_ms = [0, 1, 2].map(() => {
    const begun = performance.now();
    let value = 0;
    for (let i = 0; i < 1e8; i += 1) value = (value * 31 + i) | 0;
    // Read, so that the loop is not left out.
    return performance.now() - begun + (value === 0.5 ? 1 : 0);
  });
  return Math.min(...took_ms);
}
