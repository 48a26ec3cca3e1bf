import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Figures } from "./processes/figures-of-all.js";

/** The steps of a recording (ARCHITECTURE.md, "A redemption, step by step"). */
export const steps = ["resolve", "lock", "read", "decide", "write", "commit"] as const;
export type Step = (typeof steps)[number];

/** Tells how long each step of one recording took. A step lasts until the next begins. */
export interface Stopwatch {
  /** @param after_s so long after the current step began; now, unless told */
  enter(step: Exclude<Step, "commit">, after_s?: number): void;
  /** Begins the commit of what told its steps; of what did not nothing is told. */
  commit(): void;
  end(): void;
}

/** How far behind the work after the answer is, over all projects. */
export interface Backlog {
  /** Of the oldest event that no consumer has been given yet; 0 when there is none. */
  outbox_age_s: number;
  /** Of the oldest event that a consumer has been given and not dealt with yet; 0 when there is none. */
  inbox_age_s: number;
  /** Of the oldest asynchronous action that is not done; 0 when there is none. */
  async_action_age_s: number;
}

/** Connections to the database, and who waits for one. */
export interface PoolUse {
  total: number;
  idle: number;
  waiting: number;
}

/**
 * What an operator sees of a running process. Labels are operations, statuses, stages and keys of refusals: never an id,
 * a name or a project, so that their number is bounded and nothing of a tenant shows. docs/metrics.md lists them all.
 */
export interface Metrics {
  /** @param operation the `operationId`; undefined for what has none */
  answered(operation: string | undefined, status: number, seconds: number): void;
  /** @param key as in the body of the refusal */
  refused(key: string): void;
  /** A stopwatch for the steps of one recording. */
  recording(): Stopwatch;
  /** A recording of so many requests together. */
  batched(requests: number): void;
  /** From asking for the keys to holding them all, as the server says. */
  locked(seconds: number): void;
  /** A transaction that had to start over. */
  startedOver(reason: string): void;
  /** So many cards hold something else than their books say. */
  booksBroken(cards: number): void;
  /** Requests of a project waited for its catalogue; @param whole read whole, and not just what had changed */
  catalogueRead(whole: boolean, seconds: number): void;
  /** Everything in Prometheus' text format, of all processes of the service; a backlog that could not be read is not a number. */
  text(now: { pool: PoolUse; backlog: Backlog | null }): Promise<string>;
  /** What this process has to tell, for whoever sums it up with the others'. */
  figures(pool: PoolUse): Promise<Figures>;
  content_type: string;
}

/** What a database tells about its transactions. */
export type TransactionMetrics = Pick<Metrics, "recording" | "locked" | "startedOver">;

/** For who does not look. */
export const unmeasured: TransactionMetrics = {
  recording: () => ({ enter() {}, commit() {}, end() {} }),
  locked() {},
  startedOver() {},
};

/** Values of a label that text from elsewhere could ever add; past that many they are counted together. */
const label_values_max = 300;

const request_buckets_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const stage_buckets_s = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface MetricsOptions {
  /** Also CPU, memory, garbage collection and event-loop delay: once in a process. */
  process_too?: boolean;
  /** Which of several processes this is: a label of what it tells of itself. */
  number?: number;
  /** Asks for the text of all processes, this one included. */
  textOfAll?: () => Promise<string>;
}

export function createMetrics({ process_too = false, number, textOfAll }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  /** Of the database, and the same whichever process tells it. */
  const shared = new Registry();
  if (process_too)
    collectDefaultMetrics({
      register: registry,
      ...(number === undefined ? {} : { labels: { process: String(number) } }),
    });
  const { requests, refusals } = requestMetrics(registry);
  const { stage_times, batch_sizes, lock_waits, retries, broken_books, catalogue_reads } = recordingMetrics(registry);
  const { connections, connections_waiting, outbox_age, inbox_age, async_action_age } = gauges(registry, shared);
  const keyOf = boundedLabel();
  const reasonOf = boundedLabel();
  const later = whenNobodyWaits();

  function recording(): Stopwatch {
    let current: Step | null = null;
    let since = 0;
    function leave(now: number): void {
      const [stage, took_s] = [current, (now - since) / 1000];
      if (stage !== null) later.tell(() => stage_times.observe({ stage }, took_s));
      since = now;
    }
    function enter(step: Step | null, after_s?: number): void {
      leave(after_s === undefined ? performance.now() : since + after_s * 1000);
      current = step;
    }
    return {
      enter,
      commit() {
        if (current !== null) enter("commit");
      },
      end: () => enter(null),
    };
  }

  function show({ total, idle, waiting }: PoolUse): void {
    connections.set({ state: "idle" }, idle);
    connections.set({ state: "used" }, total - idle);
    connections_waiting.set(waiting);
  }

  return {
    answered: (operation = "none", status, seconds) =>
      requests.observe({ operation, status: `${Math.floor(status / 100)}xx` }, seconds),
    refused: (key) => refusals.inc({ key: keyOf(key) }),
    recording,
    batched: (size) => later.tell(() => batch_sizes.observe(size)),
    locked: (seconds) => later.tell(() => lock_waits.observe(seconds)),
    booksBroken: (cards) => broken_books.inc(cards),
    startedOver: (reason) => retries.inc({ reason: reasonOf(reason) }),
    catalogueRead: (whole, seconds) => catalogue_reads.observe({ read: whole ? "whole" : "changes" }, seconds),
    async text({ pool, backlog }) {
      later.tellAll();
      show(pool);
      outbox_age.set(backlog?.outbox_age_s ?? Number.NaN);
      inbox_age.set(backlog?.inbox_age_s ?? Number.NaN);
      async_action_age.set(backlog?.async_action_age_s ?? Number.NaN);
      return [await (textOfAll?.() ?? registry.metrics()), await shared.metrics()].join("\n");
    },
    async figures(pool) {
      later.tellAll();
      show(pool);
      return registry.getMetricsAsJSON();
    },
    content_type: registry.contentType,
  };
}

/** Tells what a recording has to tell a turn later, when what it waits for is on its way. */
function whenNobodyWaits() {
  let waiting: (() => void)[] = [];
  function tellAll(): void {
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  }
  return {
    tell(observe: () => void): void {
      if (waiting.push(observe) === 1) setImmediate(tellAll);
    },
    tellAll,
  };
}

function requestMetrics(registry: Registry) {
  return {
    requests: new Histogram({
      name: "guerdon_request_duration_seconds",
      help: "Time from the head of a request to the end of its answer, by operation and class of status.",
      labelNames: ["operation", "status"],
      buckets: request_buckets_s,
      registers: [registry],
    }),
    refusals: new Counter({
      name: "guerdon_refusals_total",
      help: "Refused requests and inapplicable redeemables, by the key of the refusal.",
      labelNames: ["key"],
      registers: [registry],
    }),
  };
}

function recordingMetrics(registry: Registry) {
  const registers = [registry];
  return {
    stage_times: new Histogram({
      name: "guerdon_recording_stage_seconds",
      help: "Time that a recording spent in each of its steps: resolve, lock, read, decide, write, commit.",
      labelNames: ["stage"],
      buckets: stage_buckets_s,
      registers,
    }),
    batch_sizes: new Histogram({
      name: "guerdon_recording_batch_requests",
      help: "Requests that were recorded together in one transaction.",
      buckets: [1, 2, 4, 8, 16, 32, 64],
      registers,
    }),
    lock_waits: new Histogram({
      name: "guerdon_lock_wait_seconds",
      help: "Time from asking for the keys of a transaction to holding all of them.",
      buckets: stage_buckets_s,
      registers,
    }),
    broken_books: new Counter({
      name: "guerdon_broken_books_total",
      help: "Cards that held something else than their books say, each night that finds them so.",
      registers,
    }),
    retries: new Counter({
      name: "guerdon_transaction_retries_total",
      help: "Transactions that had to start over, by PostgreSQL's code for the reason.",
      labelNames: ["reason"],
      registers,
    }),
    catalogue_reads: new Histogram({
      name: "guerdon_catalogue_read_seconds",
      help: "Time that requests waited for a project's catalogue, read whole or just what had changed.",
      labelNames: ["read"],
      buckets: request_buckets_s,
      registers,
    }),
  };
}

function gauges(registry: Registry, shared: Registry) {
  const registers = [registry];
  const of_database = [shared];
  return {
    connections: new Gauge({
      name: "guerdon_database_connections",
      help: "Connections of the pool, idle and used.",
      labelNames: ["state"],
      registers,
    }),
    connections_waiting: new Gauge({
      name: "guerdon_database_waiting",
      help: "Transactions and reads that wait for a connection.",
      registers,
    }),
    outbox_age: new Gauge({
      name: "guerdon_outbox_age_seconds",
      help: "Age of the oldest event that has not been handed to its consumers; not a number while unknown.",
      registers: of_database,
    }),
    inbox_age: new Gauge({
      name: "guerdon_inbox_age_seconds",
      help: "Age of the oldest event that a consumer has not dealt with; not a number while unknown.",
      registers: of_database,
    }),
    async_action_age: new Gauge({
      name: "guerdon_async_action_age_seconds",
      help: "Age of the oldest asynchronous action that is not done; not a number while unknown.",
      registers: of_database,
    }),
  };
}

function boundedLabel(): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    if (!seen.has(value) && seen.size >= label_values_max) return "other";
    seen.add(value);
    return value;
  };
}
