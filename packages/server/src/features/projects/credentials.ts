import type { FastifyContextConfig } from "fastify";
import type { App } from "../../platform/http/app.js";
import { mayAnybodyCall } from "./roles.js";

/** What the caller of an operation must show. */
export type Credentials = NonNullable<FastifyContextConfig["credentials"]>;

interface Asked {
  method?: string | readonly string[];
  url?: string;
  config?: FastifyContextConfig;
}

/**
 * What a route asks for: what it says itself, else what its path says (platform.md §1). Of the management API that opens to people what
 * some role may call (ADR 78).
 */
export function credentialsFor({ method = [], url = "", config }: Asked): Credentials {
  if (config?.credentials) return config.credentials;
  if (/^\/v[12]\//.test(url)) return "application";
  if (url.startsWith("/client/")) return "client";
  if (url.startsWith("/dashboard/")) return "member";
  if (!url.startsWith("/management/")) return "none";
  return [method].flat().some((one) => mayAnybodyCall(one, url)) ? "managed" : "management";
}

const application_pair = { "X-App-Id": [], "X-App-Token": [] };
const client_pair = { "X-Client-Application-Id": [], "X-Client-Token": [] };
const session = { Session: [] };
const management_pair = { "X-Management-Id": [], "X-Management-Token": [] };

/** Writes into the OpenAPI document what each operation asks for; each entry of a list is enough. */
export function describeCredentials(app: Pick<App, "addHook">, scopesFor: (path: string) => readonly string[]): void {
  app.addHook("onRoute", (route) => {
    if (!route.schema || route.schema.hide) return;
    route.schema = { ...route.schema, security: securityOf(credentialsFor(route), scopesFor(route.url)) };
  });
}

function securityOf(credentials: Credentials, scopes: readonly string[]) {
  switch (credentials) {
    case "application":
      // One entry a scope: the scopes of one entry would all be needed.
      return [application_pair, ...scopes.map((scope) => ({ OAuth: [scope] })), session];
    case "member":
    case "person":
      return [session];
    case "application_pair":
      return [application_pair];
    case "client":
      return [client_pair, ...scopes.map((scope) => ({ OAuth: [scope] }))];
    case "management":
      return [management_pair];
    case "managed":
      return [management_pair, session];
    case "none":
      return [];
  }
}
