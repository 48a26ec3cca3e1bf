import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.js";
import { setBounds } from "../platform/bounds.js";
import { Unavailable } from "../platform/db/database-errors.js";
import type { AddressLimit, CallCount } from "../platform/http/browsers/address-limit.js";
import { createLog, type Log } from "../platform/log.js";
import { createMetrics } from "../platform/metrics.js";
import { lineToKeeper } from "../platform/processes/index.js";
import { openService, type Service } from "./service.js";
import { shareOf } from "./shares.js";
import { stopInTime } from "./stop.js";

/** What a process is told to begin with. */
export interface Beginning {
  /** Of the database. */
  url: string;
  port: number;
}

/** A call of an address, to be counted under the name of its limit. */
export interface Call {
  name: string;
  limit: AddressLimit;
  address: string;
  instant: number;
}

/** The keeper answers at once, unless the machine has no time for it. */
const answer_ms_max = 5_000;
const database_pause_ms = 250;

/** Answers as one of several processes, until its keeper says stop or is gone. */
export async function serveAsOneOf(all: Config, number: number): Promise<void> {
  // The keeper hears them too, and says when to stop.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  const config = shareOf(all);
  setBounds(config.bounds);
  const log = createLog(config.log_level, { process_number: number });
  const textOfAll = () => line.ask<string>("metrics", undefined, answer_ms_max);
  const metrics = createMetrics({ process_too: true, number, textOfAll });

  let service: Service | undefined;
  const line = lineToKeeper({
    async stop() {
      await stopInTime(log, async () => service?.stop());
      process.exit(0);
    },
    figures: () => service && metrics.figures(service.context.db.pool()),
  });

  const { url, port } = await line.ask<Beginning>("beginning");
  const countCalls = (name: string, limit: AddressLimit) => (address: string, instant: number) =>
    line.ask<CallCount>("call", { name, limit, address, instant } satisfies Call, answer_ms_max);
  service = await openService({ config, log, metrics, url, countCalls });
  await followClock(service, log);
  await line.ask("answers", await service.answer(port));
}

/** Begun in place of one that has ended, while the database may be away: it waits, and does not end as well. */
async function followClock(service: Service, log: Log): Promise<void> {
  for (;;) {
    try {
      return await service.followClock();
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      log.error({ err }, "the database's clock could not be read");
      await pause(database_pause_ms);
    }
  }
}
