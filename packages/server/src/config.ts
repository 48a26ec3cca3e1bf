import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type Bounds, default_bounds, default_exports, type ExportLimits } from "./platform/bounds.js";
import { type CallLimit, type CallLimits, readCallLimit } from "./platform/call-limits.js";
import { type AddressLimit, limitPerAddress } from "./platform/http/browsers/address-limit.js";
import { type ClientLimits, default_client_limits } from "./platform/http/clients.js";
import { heapBytes, memoryBytes } from "./platform/processes/memory.js";
import { isEmail, password_length } from "./platform/sign-in.js";

/** How this process runs: the table of environment variables in the README. */
export interface Config {
  host: string;
  port: number;
  /** Undefined: the embedded PostgreSQL in the data folder. */
  database_url: string | undefined;
  /** For migrations and leases when `database_url` is a transaction pooler. */
  database_direct_url: string | undefined;
  prepared: boolean;
  data_dir: string;
  /** What the first project gets; anything left out is generated. */
  first_project: Partial<Record<FirstProjectField, string>>;
  role: "all" | "api" | "worker";
  /** How many processes answer behind the one port. */
  processes: number;
  /** The operator has told Node.js how large a heap may be: it holds for each process. */
  is_heap_given: boolean;
  /** What may stay in the heap of this process. */
  heap_bytes: number;
  cluster_id: string;
  webhook_allow_private: boolean;
  /** Where browsers reach the service, without a slash at the end; undefined: where it listens. */
  public_url: string | undefined;
  /** Who takes mail, and in whose name it is sent; undefined: it goes to the log. */
  smtp: { url: string; from: string } | undefined;
  /** Who owns the organization, where nobody is to follow a link for that. */
  owner: { email: string; password: string } | undefined;
  log_level: string;
  /** What `/metrics` asks for as a bearer token; undefined: nothing. */
  metrics_token: string | undefined;
  /** 32 bytes that seal stored secrets; undefined: a file in the data folder. */
  secret_key: Buffer | undefined;
  /** Of all processes together, and so are `catalogue_bytes` and `clients_max`. */
  connections_max: number;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trusted_proxies: readonly string[];
  /** How long events are kept after their month. */
  events_days: number;
  /** How long exported files are kept, and how large one may be: docs/bounds.md. */
  exports: ExportLimits;
  /** What the catalogues of all projects may keep in memory; undefined: a share of the heap. */
  catalogue_bytes: number | undefined;
  /** Sizes of what callers store: docs/bounds.md. */
  bounds: Bounds;
  clients: ClientLimits;
  /** How often one address may call the client side of the API. */
  client_side_limit: AddressLimit;
  /** What each project may call in a period, where it has no limits of its own. */
  call_limits: CallLimits;
  /** Units of work, of about 50 ns, that one redeemable may take: docs/bounds.md. */
  decision_work: number;
}

type FirstProjectField =
  | "project_id"
  | "app_id"
  | "app_token"
  | "client_id"
  | "client_token"
  | "management_id"
  | "management_token"
  | "owner_login";

/** A variable that cannot be used; the message names it and says what would be right. */
export class ConfigRefused extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** The only reader of the environment. Throws {@link ConfigRefused} at the first wrong value. */
export function readConfig(environment: Environment = process.env): Config {
  const text = (name: string) => environment[name] || undefined;
  const { processes, connections_max } = processesOf(environment);
  const flags = [text("NODE_OPTIONS"), ...process.execArgv].join(" ");
  return {
    host: text("HOST") ?? "127.0.0.1",
    port: integer(environment, "PORT", 3000, 0, 65_535),
    database_url: databaseUrl(environment, "DATABASE_URL"),
    database_direct_url: databaseUrl(environment, "DATABASE_DIRECT_URL") ?? databaseUrl(environment, "DATABASE_URL"),
    prepared: choice(environment, "GUERDON_PREPARED", ["true", "false"], "true") === "true",
    data_dir: resolve(text("GUERDON_DATA_DIR") ?? "data"),
    first_project: {
      project_id: text("GUERDON_PROJECT_ID"),
      app_id: text("GUERDON_APP_ID"),
      app_token: text("GUERDON_APP_TOKEN"),
      client_id: text("GUERDON_CLIENT_ID"),
      client_token: text("GUERDON_CLIENT_TOKEN"),
      management_id: text("GUERDON_MANAGEMENT_ID"),
      management_token: text("GUERDON_MANAGEMENT_TOKEN"),
      owner_login: text("GUERDON_OWNER_LOGIN"),
    },
    role: choice(environment, "GUERDON_ROLE", ["all", "api", "worker"], "all"),
    cluster_id: text("GUERDON_CLUSTER_ID") ?? "eu1",
    webhook_allow_private: choice(environment, "GUERDON_WEBHOOK_ALLOW_PRIVATE", ["true", "false"], "false") === "true",
    public_url: publicUrl(environment),
    owner: ownerOf(environment),
    smtp: smtpOf(environment),
    log_level: choice(environment, "GUERDON_LOG", ["trace", "debug", "info", "warn", "error", "silent"], "info"),
    metrics_token: text("GUERDON_METRICS_TOKEN"),
    secret_key: secretKey(environment),
    processes,
    is_heap_given: /--max[-_](old[-_]space|heap)[-_]size/.test(flags),
    heap_bytes: heapBytes(flags),
    connections_max,
    trusted_proxies: networks(environment, "GUERDON_TRUSTED_PROXIES"),
    events_days: integer(environment, "GUERDON_EVENTS_DAYS", 730, 31, 36_500),
    exports: {
      days: integer(environment, "GUERDON_EXPORTS_DAYS", default_exports.days, 1, 3_650),
      bytes_max: integer(environment, "GUERDON_EXPORT_BYTES", default_exports.bytes_max, 2 ** 20, 2 ** 36),
    },
    catalogue_bytes: text("GUERDON_CATALOGUE_BYTES")
      ? integer(environment, "GUERDON_CATALOGUE_BYTES", 0, 2 ** 20, 2 ** 36)
      : undefined,
    bounds: boundsOf(environment),
    clients: {
      clients_max: integer(environment, "GUERDON_CLIENTS", default_client_limits.clients_max, 10, 100_000),
      request_seconds_max: integer(
        environment,
        "GUERDON_REQUEST_SECONDS",
        default_client_limits.request_seconds_max,
        1,
        3_600,
      ),
    },
    client_side_limit: limitPerAddress(
      integer(environment, "GUERDON_CLIENT_SIDE_CALLS", 5, 1, 10_000),
      integer(environment, "GUERDON_CLIENT_SIDE_SECONDS", 5, 1, 3_600),
    ),
    call_limits: {
      api_calls: callLimits(environment, "GUERDON_API_CALLS"),
      bulk_api_calls: callLimits(environment, "GUERDON_BULK_API_CALLS"),
      webhook_calls: callLimits(environment, "GUERDON_WEBHOOK_CALLS"),
    },
    decision_work: integer(environment, "GUERDON_DECISION_WORK", default_decision_work, 20_000, 100_000_000),
  };
}

/** Fewer let no project have half of them while others wait. */
const connections_of_process_min = 4;
/** The embedded server takes 200 in all. */
const connections_max_max = 180;
const processes_max = 40;
/** Of the machine's memory, for each process that is started without being asked for. */
const process_bytes_min = 2 ** 30;

/** One core is PostgreSQL's, where there are more than two; a container may have many cores and little memory. */
export const defaultProcesses = (cores: number, memory_bytes: number): number =>
  cores <= 2 ? 1 : Math.max(1, Math.min(cores - 1, processes_max, Math.floor(memory_bytes / process_bytes_min)));

function processesOf(environment: Environment): Pick<Config, "processes" | "connections_max"> {
  const cores = availableParallelism();
  const wished = environment.GUERDON_PROCESSES
    ? integer(environment, "GUERDON_PROCESSES", 1, 1, processes_max)
    : undefined;
  const at_least = connections_of_process_min * (wished ?? 1);
  const connections = Math.min(connections_max_max, Math.max(8, at_least, 4 * cores));
  const connections_max = integer(environment, "GUERDON_CONNECTIONS", connections, at_least, connections_max_max);
  const served = Math.floor(connections_max / connections_of_process_min);
  return { connections_max, processes: wished ?? Math.min(served, defaultProcesses(cores, memoryBytes())) };
}

/** 10 ms, and not more than 20 on a slow core. */
export const default_decision_work = 200_000;

const boundsOf = (environment: Environment): Bounds => ({
  metadata_bytes_max: bytes(environment, "GUERDON_METADATA_BYTES", default_bounds.metadata_bytes_max),
  rule_bytes_max: bytes(environment, "GUERDON_RULE_BYTES", default_bounds.rule_bytes_max),
  order_bytes_max: bytes(environment, "GUERDON_ORDER_BYTES", default_bounds.order_bytes_max),
  async_actions_max: integer(environment, "GUERDON_ASYNC_ACTIONS", default_bounds.async_actions_max, 1, 100_000),
});

const bytes = (environment: Environment, name: string, missing: number) =>
  integer(environment, name, missing, 1024, 10_485_760);

function integer(environment: Environment, name: string, missing: number, min: number, max: number): number {
  const text = environment[name];
  if (!text) return missing;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ConfigRefused(`${name} must be a whole number from ${min} to ${max}, not '${text}'`);
}

function choice<const Value extends string>(
  environment: Environment,
  name: string,
  allowed: readonly Value[],
  missing: Value,
): Value {
  const text = environment[name];
  if (!text) return missing;
  const value = allowed.find((one) => one === text);
  if (value) return value;
  throw new ConfigRefused(`${name} must be one of ${allowed.join(", ")}, not '${text}'`);
}

/** Limits as `600/PT1M`, with commas between. */
function callLimits(environment: Environment, name: string): CallLimit[] {
  const all = (environment[name] ?? "").split(",").map((one) => one.trim());
  return all
    .filter((one) => one !== "")
    .map((one) => {
      const limit = readCallLimit(one);
      if (limit) return limit;
      throw new ConfigRefused(
        `${name} must be calls in a period such as 600/PT1M or 300000/P1M with commas between, not '${one}'`,
      );
    });
}

/** Addresses, or networks as `10.0.0.0/8`, with commas between. */
function networks(environment: Environment, name: string): readonly string[] {
  const list = (environment[name] ?? "").split(",").map((one) => one.trim());
  const all = list.filter((one) => one !== "");
  const isNetwork = (text: string) => {
    const [address = "", bits = "0", ...rest] = text.split("/");
    const bits_max = isIP(address) === 6 ? 128 : 32;
    return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= bits_max && rest.length === 0;
  };
  const wrong = all.find((one) => !isNetwork(one));
  if (wrong === undefined) return all;
  throw new ConfigRefused(
    `${name} must be addresses such as 10.0.0.7 or 10.0.0.0/8 with commas between, not '${wrong}'`,
  );
}

function databaseUrl(environment: Environment, name: string): string | undefined {
  const text = environment[name];
  if (!text) return undefined;
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return text;
  throw new ConfigRefused(`${name} must look like postgresql://user:password@host:5432/database`);
}

function publicUrl(environment: Environment): string | undefined {
  const text = environment.GUERDON_PUBLIC_URL;
  if (!text) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === "/")
    return new URL(text).origin;
  throw new ConfigRefused("GUERDON_PUBLIC_URL must look like https://guerdon.example.com, without a path");
}

function ownerOf(environment: Environment): Config["owner"] {
  const { GUERDON_OWNER_EMAIL: email, GUERDON_OWNER_PASSWORD: password } = environment;
  if (!email && !password) return undefined;
  if (!email || !isEmail(email))
    throw new ConfigRefused("GUERDON_OWNER_EMAIL must be an e-mail address, and stand beside GUERDON_OWNER_PASSWORD");
  if (!password || password.length < password_length.min || password.length > password_length.max)
    throw new ConfigRefused(
      `GUERDON_OWNER_PASSWORD must have ${password_length.min} to ${password_length.max} characters, and stand beside GUERDON_OWNER_EMAIL`,
    );
  return { email, password };
}

function smtpOf(environment: Environment): Config["smtp"] {
  const { GUERDON_SMTP_URL: url, GUERDON_MAIL_FROM: from } = environment;
  if (!url) return undefined;
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol) || new URL(url).hostname === "")
    throw new ConfigRefused("GUERDON_SMTP_URL must look like smtps://user:password@mail.example.com");
  if (!from || !isEmail(from))
    throw new ConfigRefused("GUERDON_MAIL_FROM must be an e-mail address, and stand beside GUERDON_SMTP_URL");
  return { url, from };
}

function secretKey(environment: Environment): Buffer | undefined {
  const text = environment.GUERDON_SECRET_KEY;
  if (!text) return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  throw new ConfigRefused("GUERDON_SECRET_KEY must be 64 hexadecimal digits (32 bytes)");
}
