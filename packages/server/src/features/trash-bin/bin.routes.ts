import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import type { BinRemoval } from "./bin.js";
import { BinList, BinParams, BinQuery } from "./bin.schemas.js";
import { readBin, removeForGood } from "./bin.service.js";

/** `/v1/trash-bin` (vouchers-and-campaigns.md §19), of whatever the features put there. */
export function binRoutes(app: App, context: Context, removals: readonly BinRemoval[]): void {
  const tags = ["trash-bin"];

  app.get(
    "/v1/trash-bin",
    {
      schema: {
        operationId: "list-bin-entries",
        tags,
        querystring: BinQuery,
        response: withProblems({ 200: BinList }),
      },
    },
    (request) => readBin(contextOf(context, request), callOf(request), request.query),
  );

  app.delete(
    "/v1/trash-bin/:binEntryId",
    {
      schema: {
        operationId: "delete-bin-entry",
        tags,
        params: BinParams,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeForGood(context, callOf(request), request.params.binEntryId, removals);
      return reply.code(204).send(null);
    },
  );
}
