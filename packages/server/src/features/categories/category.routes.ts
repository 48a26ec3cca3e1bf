import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { CategoryBody, CategoryDeleteQuery, CategoryInput, CategoryList, CategoryParams } from "./category.schemas.js";
import { changeCategory, createCategory, readCategories, readCategory, removeCategory } from "./category.service.js";

/** `/v1/categories` (vouchers-and-campaigns.md §16). */
export function categoryRoutes(app: App, context: Context): void {
  const tags = ["categories"];
  const params = CategoryParams;

  app.post(
    "/v1/categories",
    {
      schema: {
        operationId: "create-category",
        tags,
        body: CategoryInput,
        response: withProblems({ 200: CategoryBody }),
      },
    },
    (request) => createCategory(context, callOf(request), request.body),
  );

  app.get(
    "/v1/categories",
    { schema: { operationId: "list-categories", tags, response: withProblems({ 200: CategoryList }) } },
    (request) => readCategories(contextOf(context, request), callOf(request)),
  );

  app.get(
    "/v1/categories/:categoryId",
    { schema: { operationId: "get-category", tags, params, response: withProblems({ 200: CategoryBody }) } },
    (request) => readCategory(contextOf(context, request), callOf(request), request.params.categoryId),
  );

  app.put(
    "/v1/categories/:categoryId",
    {
      schema: {
        operationId: "update-category",
        tags,
        params,
        body: CategoryInput,
        response: withProblems({ 200: CategoryBody }),
      },
    },
    (request) => changeCategory(context, callOf(request), request.params.categoryId, request.body),
  );

  app.delete(
    "/v1/categories/:categoryId",
    {
      schema: {
        operationId: "delete-category",
        tags,
        params,
        querystring: CategoryDeleteQuery,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      const leaves_stacking_rules = request.query.remove_from_stacking_rules === "true";
      await removeCategory(context, callOf(request), request.params.categoryId, leaves_stacking_rules);
      return reply.code(204).send(null);
    },
  );
}
