import type { FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.js";
import { type App, assertAcceptable } from "../../platform/http/app.js";
import { problems } from "../../platform/http/problems.js";
import { hashOfSecret, isSecret } from "../../platform/secrets.js";
import { createProjectDirectory } from "./project.directory.js";
import type { Call } from "./project.js";
import { findManagementKey } from "./project.store.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Set for requests with an application key; read it with `callOf`. */
    call: Call | null;
  }
}

/** A token longer than this is not one of ours; it is not even hashed. */
const credential_length_max = 512;

/** Finds out who calls, before a body is read (platform.md §1, §11.3). */
export function addAuthentication(app: App, context: Context): void {
  const directory = createProjectDirectory(context.db);
  app.decorateRequest("call", null);
  app.addHook("onRequest", async (request) => {
    const { credentials = credentialsFor(request.routeOptions.url), any_accept } = request.routeOptions.config;
    if (credentials === "application") await authenticateApplication(request);
    if (credentials === "management") await authenticateManagement(request);
    if (credentials !== "none" && !any_accept) assertAcceptable(request.headers.accept);
  });

  async function authenticateApplication(request: FastifyRequest): Promise<void> {
    const { id, token } = pairOf(request, "x-app-id", "x-app-token");
    const snapshot = await directory.ofKey(id);
    const key = snapshot?.keys.get(id);
    if (!snapshot || key?.kind !== "server" || !isSecret(token, key.token_hash)) throw problems.unauthorized();
    if (key.blocked) throw problems.forbidden("API key is blocked");
    request.call = {
      project: snapshot.project,
      project_id: snapshot.project.id,
      version: snapshot.version,
      instant: context.clock.now(),
      request_id: request.id,
      event_source: { channel: "API", api_key: { name: key.name, app_id: key.id } },
      api_key_id: key.id,
    };
  }

  async function authenticateManagement(request: FastifyRequest): Promise<void> {
    const { id, token } = pairOf(request, "x-management-id", "x-management-token");
    const key = await findManagementKey(context.db, id);
    // The secret of an unknown key is hashed all the same, so that the time of the answer tells nothing.
    if (!isSecret(token, key?.token_hash ?? hashOfSecret(""))) throw problems.unauthorized();
  }
}

/** The authenticated call of a request under `/v1`. */
export function callOf(request: { call: Call | null }): Call {
  if (!request.call) throw problems.unauthorized();
  return request.call;
}

function credentialsFor(url: string | undefined): "application" | "management" | "none" {
  if (url?.startsWith("/v1/")) return "application";
  return url?.startsWith("/management/") ? "management" : "none";
}

function pairOf(request: FastifyRequest, id_header: string, token_header: string): { id: string; token: string } {
  const id = request.headers[id_header];
  const token = request.headers[token_header];
  const usable = (value: unknown): value is string =>
    typeof value === "string" && value.length > 0 && value.length <= credential_length_max;
  if (!usable(id) || !usable(token)) throw problems.unauthorized();
  return { id, token };
}
