import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { AsyncActionStarted } from "../async-actions/index.js";
import { callOf, contextOf } from "../projects/index.js";
import { productImportRoutes } from "./imports/product-import.routes.js";
import {
  DeleteQuery,
  ProductBody,
  ProductCreate,
  ProductGetQuery,
  ProductList,
  ProductParams,
  ProductQuery,
  ProductsBulkUpdate,
  ProductsMetadataUpdate,
  ProductUpdate,
} from "./product.schemas.js";
import { readProduct, readProducts, removeProduct, updateProduct, upsertProduct } from "./product.service.js";
import { startBulkUpdate, startMetadataUpdate } from "./product-bulk.service.js";
import { skuRoutes } from "./sku.routes.js";

const tags = ["products"];
const params = ProductParams;

/** `/v1/products` and `/v1/skus` (rules.md §17.1). */
export function productRoutes(app: App, context: Context): void {
  catalogueRoutes(app, context);
  oneProductRoutes(app, context);
  bulkRoutes(app, context);
  productImportRoutes(app, context);
  skuRoutes(app, context);
}

function catalogueRoutes(app: App, context: Context): void {
  app.post(
    "/v1/products",
    {
      schema: {
        operationId: "create-product",
        tags,
        body: ProductCreate,
        response: withProblems({ 200: ProductBody }),
      },
    },
    (request) => upsertProduct(context, callOf(request), request.body),
  );

  app.get(
    "/v1/products",
    {
      schema: {
        operationId: "list-products",
        tags,
        querystring: ProductQuery,
        response: withProblems({ 200: ProductList }),
      },
    },
    (request) => readProducts(contextOf(context, request), callOf(request), request.query),
  );
}

function oneProductRoutes(app: App, context: Context): void {
  app.get(
    "/v1/products/:productId",
    {
      schema: {
        operationId: "get-product",
        tags,
        params,
        querystring: ProductGetQuery,
        response: withProblems({ 200: ProductBody }),
      },
    },
    (request) =>
      readProduct(contextOf(context, request), callOf(request), request.params.productId, request.query.hide),
  );

  app.put(
    "/v1/products/:productId",
    {
      schema: {
        operationId: "update-product",
        tags,
        params,
        body: ProductUpdate,
        response: withProblems({ 200: ProductBody }),
      },
    },
    (request) => updateProduct(context, callOf(request), request.params.productId, request.body),
  );

  app.delete(
    "/v1/products/:productId",
    {
      schema: {
        operationId: "delete-product",
        tags,
        params,
        querystring: DeleteQuery,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeProduct(context, callOf(request), request.params.productId, request.query.force === "true");
      return reply.code(204).send(null);
    },
  );
}

/** The answer names an action, which does the work later (vouchers-and-campaigns.md §8). */
function bulkRoutes(app: App, context: Context): void {
  app.post(
    "/v1/products/bulk/async",
    {
      schema: {
        operationId: "update-products-in-bulk",
        tags,
        body: ProductsBulkUpdate,
        response: withProblems({ 202: AsyncActionStarted }),
      },
    },
    (request, reply) => {
      void reply.code(202);
      return startBulkUpdate(context, callOf(request), request.body);
    },
  );

  app.post(
    "/v1/products/metadata/async",
    {
      schema: {
        operationId: "update-products-metadata-in-bulk",
        tags,
        body: ProductsMetadataUpdate,
        response: withProblems({ 202: AsyncActionStarted }),
      },
    },
    (request, reply) => {
      void reply.code(202);
      return startMetadataUpdate(context, callOf(request), request.body);
    },
  );
}
