import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { KeyBody, KeyCreate, KeyCreated, KeyList, KeyParams, KeyUpdate } from "./key.schemas.js";
import { changeKey, createKey, readKeys, removeKey, renewKey } from "./key.service.js";

/** `/dashboard/v1/keys`: the project's application keys, its administrators' to make and end (platform.md §3). */
export function keyRoutes(app: App, context: Context): void {
  const tags = ["dashboard"];
  const params = KeyParams;
  const created = withProblems({ 200: KeyCreated });

  app.get(
    "/dashboard/v1/keys",
    { schema: { operationId: "list-keys", tags, response: withProblems({ 200: KeyList }) } },
    (request) => readKeys(context, callOf(request).project_id),
  );

  app.post(
    "/dashboard/v1/keys",
    { schema: { operationId: "create-key", tags, body: KeyCreate, response: created } },
    (request) => createKey(context, callOf(request), request.body),
  );

  app.put(
    "/dashboard/v1/keys/:keyId",
    { schema: { operationId: "update-key", tags, params, body: KeyUpdate, response: withProblems({ 200: KeyBody }) } },
    (request) => changeKey(context, callOf(request), request.params.keyId, request.body),
  );

  app.post(
    "/dashboard/v1/keys/:keyId/token",
    { schema: { operationId: "renew-key", tags, params, response: created } },
    (request) => renewKey(context, callOf(request), request.params.keyId),
  );

  app.delete(
    "/dashboard/v1/keys/:keyId",
    { schema: { operationId: "delete-key", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeKey(context, callOf(request), request.params.keyId);
      return reply.code(204).send(null);
    },
  );
}
