import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { type Kept, kept } from "./kept.js";
import { KeptBody, KeptFields, KeptList, KeptParams, KeptQuery, KeptUpdate } from "./kept.schemas.js";
import { changeKept, createKept, readAllKept, readKept, removeKept } from "./kept.service.js";

/** `/dashboard/v1/{views,drafts}`: each person's own, in a project. */
export function keptRoutes(app: App, context: Context): void {
  for (const one of kept) addRoutesOf(one, app, context);
}

function addRoutesOf(kept: Kept, app: App, context: Context): void {
  const tags = ["dashboard"];
  const all = `/dashboard/v1/${kept.noun}` as const;
  const one = `${all}/:keptId` as const;
  const params = KeptParams;
  const response = withProblems({ 200: KeptBody });

  app.get(
    all,
    {
      schema: {
        operationId: `list-${kept.noun}`,
        tags,
        querystring: KeptQuery,
        response: withProblems({ 200: KeptList }),
      },
    },
    (request) => readAllKept(context, callOf(request), kept, request.query.page),
  );

  app.post(all, { schema: { operationId: `create-${kept.kind}`, tags, body: KeptFields, response } }, (request) =>
    createKept(context, callOf(request), kept, request.body),
  );

  app.get(one, { schema: { operationId: `get-${kept.kind}`, tags, params, response } }, (request) =>
    readKept(context, callOf(request), kept, request.params.keptId),
  );

  app.put(
    one,
    { schema: { operationId: `update-${kept.kind}`, tags, params, body: KeptUpdate, response } },
    (request) => changeKept(context, callOf(request), kept, request.params.keptId, request.body),
  );

  app.delete(
    one,
    { schema: { operationId: `delete-${kept.kind}`, tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeKept(context, callOf(request), kept, request.params.keptId);
      return reply.code(204).send(null);
    },
  );
}
