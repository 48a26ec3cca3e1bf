import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { AsyncActionStarted } from "../../async-actions/index.js";
import { callOf } from "../../projects/index.js";
import { PurgeParams, PurgeStart } from "./purge.schemas.js";
import { startPurge } from "./purge.service.js";

/** `/dashboard/v1/metadata-schemas`: what of metadata is done from the dashboard alone. */
export function purgeRoutes(app: App, context: Context): void {
  app.post(
    "/dashboard/v1/metadata-schemas/:relatedObject/purges",
    {
      schema: {
        operationId: "purge-metadata-key",
        tags: ["dashboard"],
        params: PurgeParams,
        body: PurgeStart,
        response: withProblems({ 202: AsyncActionStarted }),
      },
    },
    async (request, reply) => {
      const { relatedObject } = request.params;
      return reply.code(202).send(await startPurge(context, callOf(request), relatedObject, request.body.key));
    },
  );
}
