import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** What the figures were measured on; asked before anything runs, for how many others want the cores by then. */
export const machineNow = () => ({
  cpu: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  load_before: loadavg()[0],
});
