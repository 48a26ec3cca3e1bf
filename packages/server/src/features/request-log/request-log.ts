import type { EventSource } from "../../events/index.js";
import type { Instant } from "../../platform/clock.js";
import { customersNamedIn } from "../../terms/index.js";

/** How long a request is known. */
export const kept_days = 30;
export const kept_ms = kept_days * 86_400_000;

/** Of what waits to be written in one process: so much a second is logged at most, and no more is held. */
export const waiting_chars_max = 1_048_576;
export const pause_ms = 1_000;

/** A request that was answered. */
export interface LoggedRequest {
  project_id: string;
  id: string;
  method: string;
  /** With its query. */
  path: string;
  operation: string | null;
  /** As the service writes it: `/v1/vouchers/:code`. */
  route: string | null;
  status: number;
  duration_ms: number;
  event_source: EventSource;
  /** What the caller calls itself. */
  label: string | null;
  /** Whom it names, in whatever way. */
  customer_ids: readonly string[];
  /** How it begins, where it is long. */
  request_body: string | null;
  response_body: string | null;
  created_at: Instant;
}

const secret_fields = /("(?:[a-z_]*token|[a-z_]*secret|password|authorization)"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|$)/gi;
/** Whose values let whoever sends in somewhere. */
const secret_headers = /("custom_headers"\s*:\s*)\{(?:[^"{}]|"(?:[^"\\]|\\.)*(?:"|$))*(?:\}|$)/g;
const secret_parameters = /([?&](?:[a-z_]*token|password|secret)=)[^&]*/gi;
const names_in_bodies = /"(?:source_id|email|phone)"\s*:\s*("(?:[^"\\]|\\.){1,255}")/g;
const name_in_path = /\/customers\/([^/?]{1,255})/g;
/** More than one body of that length has room for. */
const names_max = 1_000;

/** Without what opens something: passwords, secrets, tokens. */
export const masked = (text: string): string =>
  text.replace(secret_headers, '$1"***"').replace(secret_fields, '$1"***"');
export const maskedPath = (path: string): string => path.replace(secret_parameters, "$1***").slice(0, 2_048);

/** Whom a request names: by our id, the shop's own, an address or a number, which may be those of other things too. */
export const customersIn = (path: string, ...bodies: readonly (string | null)[]): string[] => {
  const named = new Set([...path.matchAll(name_in_path)].map(([, name = ""]) => decoded(name)));
  for (const text of [path, ...bodies]) {
    for (const id of customersNamedIn(text)) named.add(id);
    for (const [, name = ""] of text?.matchAll(names_in_bodies) ?? []) named.add(unquoted(name));
  }
  return [...named].slice(0, names_max);
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
