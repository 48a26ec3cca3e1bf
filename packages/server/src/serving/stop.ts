import type { Log } from "../platform/log.js";

const stop_ms_max = 20_000;

/** Resolves to the exit code when a signal asks us to stop, or what we cannot do without is lost to us. */
export function untilEnd(losses: readonly (Promise<Error> | undefined)[]): Promise<number> {
  return new Promise((end) => {
    // A terminal and npm both pass Ctrl-C on, so the same signal comes twice; stopping is bounded anyway.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end(0));
    for (const lost of losses) {
      void lost?.then((error) => {
        console.error(`guerdon: ${error.message}`);
        end(1);
      });
    }
  });
}

/** Accept no more, answer what runs, end the jobs under way, close the pool, stop the server; 20 s in all. */
export async function stopInTime(
  log: Log,
  stop: () => Promise<void>,
  giveUp: () => void = () => undefined,
): Promise<void> {
  const giving_up = setTimeout(() => {
    log.error("stopping took longer than 20 s; ending now");
    giveUp();
    process.exit(1);
  }, stop_ms_max);
  giving_up.unref();
  await stop();
  clearTimeout(giving_up);
}
