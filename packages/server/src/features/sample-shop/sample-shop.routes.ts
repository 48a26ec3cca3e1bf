import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../projects/index.js";
import { SampleShopBody } from "./sample-shop.schemas.js";
import { askForSampleShop, readSampleShop, removeSampleShop } from "./sample-shop.service.js";

/** `/management/v1/projects/:projectId/sample-shop`: our own, not of the contract. */
export function sampleShopRoutes(app: App, context: Context): void {
  const url = "/management/v1/projects/:projectId/sample-shop";
  const asked = { tags: ["management"], params: ProjectParams };
  const response = withProblems({ 200: SampleShopBody });

  app.get(url, { schema: { operationId: "get-sample-shop", ...asked, response } }, ({ params }) =>
    readSampleShop(context, params.projectId),
  );

  app.post(url, { schema: { operationId: "create-sample-shop", ...asked, response } }, (request) =>
    askForSampleShop(context, causedByManagement(context, request, request.params.projectId)),
  );

  app.delete(
    url,
    { schema: { operationId: "delete-sample-shop", ...asked, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await removeSampleShop(context, causedByManagement(context, request, request.params.projectId));
      return reply.code(204).send(null);
    },
  );
}
