/** Work that is looked for again and again, one piece at a time. */
export interface Loop {
  start(): void;
  /** There may be work now: do not wait for the pause to end. */
  nudge(): void;
  /** Begins nothing new; resolves when the piece under way has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  /** Does one piece; answers whether there may be more. */
  work: () => Promise<boolean>;
  /** How long to wait before looking again when there was nothing. */
  pause_ms: number;
  failed: (error: Error) => void;
}

const pause_after_failure_ms = 1_000;

/** Looks for work when nudged, and otherwise every `pause_ms`; a failure is told and does not end it. */
export function createLoop({ work, pause_ms, failed }: LoopOptions): Loop {
  let running: Promise<void> | undefined;
  let stopping = false;
  let nudged = false;
  let wake: (() => void) | undefined;

  function rest(ms: number): Promise<void> {
    return new Promise((resume) => {
      const timer = setTimeout(resume, ms);
      wake = () => {
        clearTimeout(timer);
        resume();
      };
    });
  }

  async function run(): Promise<void> {
    while (!stopping) {
      nudged = false;
      try {
        if (await work()) continue;
        if (!nudged && !stopping) await rest(pause_ms);
      } catch (error) {
        failed(error as Error);
        // Nudges do not count here: under a rush with the database away they would make this spin.
        const until = performance.now() + pause_after_failure_ms;
        while (!stopping && performance.now() < until) await rest(until - performance.now());
      }
    }
  }

  return {
    start() {
      if (!running) running = run();
    },
    nudge() {
      nudged = true;
      wake?.();
    },
    async stop() {
      stopping = true;
      wake?.();
      await running;
    },
  };
}
