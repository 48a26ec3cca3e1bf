import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import { readSendOut, readSendOuts, retrySendOut } from "./log.service.js";
import { SendOutBody, SendOutList, SendOutParams, SendOutQuery } from "./send-out.schemas.js";

/** `/management/v1/projects/:projectId/send-outs`: ours, the contract shows the log in its dashboard alone. */
export function sendOutRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/send-outs";
  const one = `${all}/:sendOutId` as const;
  const params = SendOutParams;
  const response = withProblems({ 200: SendOutBody });

  app.get(
    all,
    {
      schema: {
        operationId: "list-send-outs",
        tags,
        params: ProjectParams,
        querystring: SendOutQuery,
        response: withProblems({ 200: SendOutList }),
      },
    },
    ({ params, query }) => readSendOuts(context, params.projectId, query),
  );

  app.get(one, { schema: { operationId: "get-send-out", tags, params, response } }, ({ params }) =>
    readSendOut(context, params.projectId, params.sendOutId),
  );

  app.post(`${one}/retry`, { schema: { operationId: "retry-send-out", tags, params, response } }, (request) => {
    const { projectId, sendOutId } = request.params;
    return retrySendOut(context, causedByManagement(context, request, projectId), sendOutId);
  });
}
