import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { readMembers } from "./member.service.js";
import {
  MemberList,
  MemberQuery,
  ProductCollectionBody,
  ProductCollectionCreate,
  ProductCollectionList,
  ProductCollectionParams,
  ProductCollectionQuery,
  ProductCollectionUpdate,
} from "./product-collection.schemas.js";
import {
  changeCollection,
  createCollection,
  readCollection,
  readCollections,
  removeCollection,
} from "./product-collection.service.js";

/** `/v1/product-collections` (rules.md §17.2). */
export function productCollectionRoutes(app: App, context: Context): void {
  const tags = ["product-collections"];
  const params = ProductCollectionParams;
  const response = withProblems({ 200: ProductCollectionBody });

  app.post(
    "/v1/product-collections",
    { schema: { operationId: "create-product-collection", tags, body: ProductCollectionCreate, response } },
    (request) => createCollection(context, callOf(request), request.body),
  );

  app.get(
    "/v1/product-collections",
    {
      schema: {
        operationId: "list-product-collections",
        tags,
        querystring: ProductCollectionQuery,
        response: withProblems({ 200: ProductCollectionList }),
      },
    },
    (request) => readCollections(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/product-collections/:productCollectionId",
    { schema: { operationId: "get-product-collection", tags, params, response } },
    (request) => readCollection(contextOf(context, request), callOf(request), request.params.productCollectionId),
  );

  app.put(
    "/v1/product-collections/:productCollectionId",
    { schema: { operationId: "put-product-collection", tags, params, body: ProductCollectionUpdate, response } },
    (request) => changeCollection(context, callOf(request), request.params.productCollectionId, request.body),
  );

  app.delete(
    "/v1/product-collections/:productCollectionId",
    {
      schema: { operationId: "delete-product-collection", tags, params, response: withProblems({ 204: NoContent }) },
    },
    async (request, reply) => {
      await removeCollection(context, callOf(request), request.params.productCollectionId);
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/v1/product-collections/:productCollectionId/products",
    {
      schema: {
        operationId: "list-products-in-collection",
        tags,
        params,
        querystring: MemberQuery,
        response: withProblems({ 200: MemberList }),
      },
    },
    (request) =>
      readMembers(contextOf(context, request), callOf(request), request.params.productCollectionId, request.query),
  );
}
