import type { EventSource } from "../../events/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Keyed } from "../../recording/index.js";
import type { Caller, MetadataSchemas } from "../../terms/index.js";

declare module "../../events/event.js" {
  interface Cause {
    /** What metadata must look like; absent where work of our own is the cause, which looks for itself. */
    metadata_schemas?: MetadataSchemas;
  }
}

/** The switches that let client-side calls in (platform.md §5). */
export const client_switches = [
  "client_redeem_enabled",
  "client_publish_enabled",
  "client_list_vouchers_enabled",
  "client_create_customer_enabled",
  "client_loyalty_events_enabled",
  "client_set_voucher_expiration_date_enabled",
] as const;

export type ClientSwitch = (typeof client_switches)[number];

interface CalloutNotification {
  email: boolean;
  emails: string[];
  in_app: boolean;
}

export interface UsageNotification {
  value: number;
  emails: string[];
  in_app: boolean;
  enabled: boolean;
}

/** A project as stored (platform.md §7.1). */
export interface Project extends Record<ClientSwitch, boolean> {
  id: string;
  name: string;
  description: string;
  timezone: string;
  currency: string;
  dial_code: string | null;
  webhook_version: string;
  api_version: string;
  cluster_id: string;
  case_sensitive_codes: boolean;
  is_sandbox: boolean;
  client_trusted_domains: string[];
  /** Whether texts in exports that a spreadsheet would run have an apostrophe before them. */
  neutralise_export_formulas: boolean;
  /** Whether what callers send and are answered is kept for thirty days. */
  request_log_enabled: boolean;
  webhooks_callout_notifications: Record<"webhooks" | "distributions", CalloutNotification>;
  api_usage_notifications: Record<string, UsageNotification>;
  default_code_config: { charset: string } | null;
  limits: Record<string, unknown> | null;
  webhook_token_sealed: Buffer;
  created_at: Instant;
  updated_at: Instant | null;
}

export type KeyKind = "server" | "client";

/** A project's key pair; of the secret only the hash is kept. */
export interface ApiKey {
  id: string;
  kind: KeyKind;
  name: string;
  role: string;
  token_hash: Buffer;
  blocked: boolean;
  /** Made for an integration: some operations take no other keys (platform.md §1). */
  is_integration: boolean;
  /** Addresses and networks that it may be used from; none: from anywhere. */
  allowed_addresses: readonly string[];
}

/** A project with its keys as one version of its catalogue has them. */
export interface ProjectSnapshot {
  version: number;
  project: Project;
  keys: ReadonlyMap<string, ApiKey>;
  metadata_schemas: MetadataSchemas;
}

/** What a call was let in on: its key as it was when it was last asked about. */
export interface Belief {
  readonly key_id: string;
  /** Nothing may be answered before. */
  is_confirmed: boolean;
}

/** One authenticated request: whose it is, when it is, and whom to name in events. */
export interface Call {
  project: Project;
  project_id: string;
  metadata_schemas: MetadataSchemas;
  /** The catalogue's version that this request must see at least. */
  version: number;
  /** The request's one instant (architecture.md §11). */
  instant: Instant;
  request_id: string;
  caller: Caller;
  /** What events say of the caller. */
  event_source: EventSource;
  /** How the caller's software names itself, where it does (platform.md §11.7). */
  label: string | null;
  /** How the request named itself, where it did. */
  keyed: Keyed | null;
  /** What it was let in on without being asked about; left out where it was. */
  belief?: Belief | undefined;
}
