import type { Config } from "../config.js";
import { type AddressLimit, slidingWindows } from "../platform/http/browsers/address-limit.js";
import type { Log } from "../platform/log.js";
import { createMetrics } from "../platform/metrics.js";
import type { EmbeddedPostgres } from "../platform/postgres/index.js";
import { type Figures, FiguresOfAll } from "../platform/processes/figures-of-all.js";
import { Keeper } from "../platform/processes/index.js";
import { memoryBytes } from "../platform/processes/memory.js";
import type { Beginning, Call } from "./as-one.js";
import { showOwnerLink } from "./owner-link.js";
import { openService } from "./service.js";
import { flagsOf } from "./shares.js";
import { stopInTime, untilEnd } from "./stop.js";

interface Start {
  config: Config;
  log: Log;
  embedded: EmbeddedPostgres | undefined;
  url: string;
  /** Where log lines go: its own and those of the others. */
  write(line: string): void;
}

/** Whoever looks at the metrics is not kept waiting by a process that works. */
const figures_ms_max = 2_000;

/** Keeps several processes that answer behind one port, and answers nothing itself (ADR 41). */
export async function serveByMany({ config, log, embedded, url, write }: Start): Promise<void> {
  const metrics = createMetrics({ process_too: true, number: 0 });
  const first = await openService({ config, log, url, metrics });
  await first.followClock();
  // Before the others begin, and at once: should the start fail further on, the first keys would otherwise be lost with it.
  await first.prepare();
  const owner_link = await first.ownerLink();
  await first.stop();

  const figures = new FiguresOfAll();
  const keeper: Keeper = new Keeper({
    processes: config.processes,
    flags: flagsOf(config, memoryBytes()),
    log,
    write,
    port: config.port,
    beginning: (port): Beginning => ({ url, port }),
    ended: (number) => figures.ended(number),
    answering: { call: callCounter(), metrics: () => figuresText(keeper) },
  });

  /** Of all that answer, and of this one. */
  async function figuresText(asked: Keeper): Promise<string> {
    figures.heard(0, await metrics.figures({ total: 0, idle: 0, waiting: 0 }));
    for (const [number, told] of await asked.askAll<Figures>("figures", figures_ms_max)) figures.heard(number, told);
    return figures.text();
  }

  const address = await keeper.start();
  const end = untilEnd([embedded?.lost, keeper.lost]);
  console.log(`Guerdon answers at ${address}`);
  showOwnerLink(config.public_url ?? address, owner_link);
  const code = await end;
  await stopInTime(
    log,
    async () => {
      await keeper.stop();
      await embedded?.stop();
    },
    () => keeper.kill(),
  );
  process.exit(code);
}

/** Counts calls of addresses for all processes: counted by each alone, an address could call as often as there are processes. */
function callCounter() {
  const windows = new Map<string, ReturnType<typeof slidingWindows>>();
  const windowsOf = (name: string, limit: AddressLimit) => {
    const known = windows.get(name) ?? slidingWindows(limit);
    windows.set(name, known);
    return known;
  };
  return ({ name, limit, address, instant }: Call) => windowsOf(name, limit)(address, instant);
}
