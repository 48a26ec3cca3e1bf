import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import { BrandBody, BrandCreate, BrandList, BrandParams, BrandUpdate } from "./brand.schemas.js";
import { changeBrand, createBrand, readBrand, readBrands, removeBrand } from "./brand.service.js";

/** `/management/v1/projects/:projectId/branding` (platform.md §10). */
export function brandRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/branding";
  const one = `${all}/:brandingId` as const;
  const params = BrandParams;
  const response = withProblems({ 200: BrandBody });

  app.post(
    all,
    { schema: { operationId: "create-brand", tags, params: ProjectParams, body: BrandCreate, response } },
    (request) => createBrand(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.get(
    all,
    {
      schema: { operationId: "list-brands", tags, params: ProjectParams, response: withProblems({ 200: BrandList }) },
    },
    ({ params }) => readBrands(context, params.projectId),
  );

  app.get(one, { schema: { operationId: "get-brand", tags, params, response } }, ({ params }) =>
    readBrand(context, params.projectId, params.brandingId),
  );

  app.put(one, { schema: { operationId: "update-brand", tags, params, body: BrandUpdate, response } }, (request) => {
    const { projectId, brandingId } = request.params;
    return changeBrand(context, causedByManagement(context, request, projectId), brandingId, request.body);
  });

  app.delete(
    one,
    { schema: { operationId: "delete-brand", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { projectId, brandingId } = request.params;
      await removeBrand(context, causedByManagement(context, request, projectId), brandingId);
      return reply.code(204).send(null);
    },
  );
}
