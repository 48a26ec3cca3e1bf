import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import {
  DeleteQuery,
  ProductParams,
  ProductQuery,
  ProductSkuParams,
  SkuBody,
  SkuCreate,
  SkuList,
  SkuParams,
  SkuUpdate,
} from "./product.schemas.js";
import { readSku, readSkuOfProduct, readSkus, removeSku, updateSku, upsertSku } from "./sku.service.js";

const tags = ["products"];

/** The variants of a product (rules.md §17.1). */
export function skuRoutes(app: App, context: Context): void {
  skusOfProductRoutes(app, context);
  oneSkuRoutes(app, context);
}

function skusOfProductRoutes(app: App, context: Context): void {
  app.post(
    "/v1/products/:productId/skus",
    {
      schema: {
        operationId: "create-sku",
        tags,
        params: ProductParams,
        body: SkuCreate,
        response: withProblems({ 200: SkuBody }),
      },
    },
    (request) => upsertSku(context, callOf(request), request.params.productId, request.body),
  );

  app.get(
    "/v1/products/:productId/skus",
    {
      schema: {
        operationId: "list-skus-in-product",
        tags,
        params: ProductParams,
        querystring: ProductQuery,
        response: withProblems({ 200: SkuList }),
      },
    },
    (request) => readSkus(contextOf(context, request), callOf(request), request.params.productId, request.query),
  );
}

function oneSkuRoutes(app: App, context: Context): void {
  app.get(
    "/v1/products/:productId/skus/:skuId",
    {
      schema: {
        operationId: "get-sku-of-product",
        tags,
        params: ProductSkuParams,
        response: withProblems({ 200: SkuBody }),
      },
    },
    (request) =>
      readSkuOfProduct(contextOf(context, request), callOf(request), request.params.productId, request.params.skuId),
  );

  app.put(
    "/v1/products/:productId/skus/:skuId",
    {
      schema: {
        operationId: "update-sku",
        tags,
        params: ProductSkuParams,
        body: SkuUpdate,
        response: withProblems({ 200: SkuBody }),
      },
    },
    (request) => updateSku(context, callOf(request), request.params.productId, request.params.skuId, request.body),
  );

  app.delete(
    "/v1/products/:productId/skus/:skuId",
    {
      schema: {
        operationId: "delete-sku",
        tags,
        params: ProductSkuParams,
        querystring: DeleteQuery,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      const { productId, skuId } = request.params;
      await removeSku(context, callOf(request), productId, skuId, request.query.force === "true");
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/v1/skus/:skuId",
    {
      schema: {
        operationId: "get-sku",
        tags: ["skus"],
        params: SkuParams,
        response: withProblems({ 200: SkuBody }),
      },
    },
    (request) => readSku(contextOf(context, request), callOf(request), request.params.skuId),
  );
}
