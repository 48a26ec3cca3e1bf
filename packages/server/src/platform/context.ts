import type { Config } from "../config.js";
import type { Clock } from "./clock.js";
import type { Database } from "./db/database.js";
import type { AddressLimit, CountCall } from "./http/browsers/address-limit.js";
import type { Bell } from "./jobs/bell.js";
import type { Log } from "./log.js";
import type { Metrics } from "./metrics.js";
import type { Seal } from "./secrets.js";
import type { Turns } from "./sharing/turns.js";

/** What every feature may use. Made once by `main.ts` or a test; passed on as an argument. */
export interface Context {
  config: Pick<Config, "cluster_id" | "host" | "events_days" | "metrics_token"> &
    Partial<
      Pick<
        Config,
        | "trusted_proxies"
        | "clients"
        | "exports"
        | "client_side_limit"
        | "webhook_allow_private"
        | "public_url"
        | "smtp"
        | "call_limits"
        | "heap_bytes"
      >
    >;
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Rung after commits that leave something to the second phase: `outbox`, `inbox`, `async_actions`, `send_outs`. */
  bell: Bell;
  /** Whoever works long on the thread asks here whether to let others go first. */
  turns: Turns;
  seal: Seal;
  /** Counts calls of addresses for all processes of the service together, under a name; undefined where this one is alone. */
  countCalls?: (name: string, limit: AddressLimit) => CountCall;
  /** Where clients reach this service, without a slash at the end; stands in the urls of assets. */
  public_url(): string;
}
