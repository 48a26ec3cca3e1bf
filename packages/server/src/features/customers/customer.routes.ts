import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import {
  CustomerBody,
  CustomerInputSchema,
  CustomerList,
  CustomerParams,
  CustomerQuery,
  CustomerUpdate,
} from "./customer.schemas.js";
import { readCustomer, removeCustomer, updateCustomer, upsertCustomer } from "./customer.service.js";
import { customerBulkRoutes } from "./customer-bulk.routes.js";
import { customerImportRoutes } from "./customer-import.routes.js";
import { type HeldBySegment, readCustomers } from "./customer-list.service.js";
import { deletePermanently } from "./permanent-deletion.js";
import { PermanentDeletion } from "./permanent-deletion.schemas.js";
import type { Erasure, Forgetting } from "./traces.js";

/** What those add who know customers, while customers do not know them. */
interface Neighbours {
  heldBySegment: HeldBySegment;
  /** Of those who keep something of a customer. */
  erasures: readonly Erasure[];
  /** Of those who keep something beyond a deletion. */
  forgettings: readonly Forgetting[];
}

/** `/v1/customers` (rules.md §18). */
export function customerRoutes(app: App, context: Context, { heldBySegment, erasures, forgettings }: Neighbours): void {
  const tags = ["customers"];
  customerBulkRoutes(app, context);
  customerImportRoutes(app, context);

  app.post(
    "/v1/customers",
    {
      schema: {
        operationId: "create-customer",
        tags,
        body: CustomerInputSchema,
        response: withProblems({ 200: CustomerBody }),
      },
    },
    (request) => upsertCustomer(context, callOf(request), request.body),
  );

  app.get(
    "/v1/customers",
    {
      schema: {
        operationId: "list-customers",
        tags,
        querystring: CustomerQuery,
        response: withProblems({ 200: CustomerList }),
      },
    },
    (request) => readCustomers(contextOf(context, request), callOf(request), request.query, heldBySegment),
  );

  app.get(
    "/v1/customers/:customerId",
    {
      schema: {
        operationId: "get-customer",
        tags,
        params: CustomerParams,
        response: withProblems({ 200: CustomerBody }),
      },
    },
    (request) => readCustomer(contextOf(context, request), callOf(request), request.params.customerId),
  );

  app.put(
    "/v1/customers/:customerId",
    {
      schema: {
        operationId: "update-customer",
        tags,
        params: CustomerParams,
        body: CustomerUpdate,
        response: withProblems({ 200: CustomerBody }),
      },
    },
    (request) => updateCustomer(context, callOf(request), request.params.customerId, request.body),
  );

  deletionRoutes(app, context, { erasures, forgettings });
}

function deletionRoutes(
  app: App,
  context: Context,
  { erasures, forgettings }: Pick<Neighbours, "erasures" | "forgettings">,
): void {
  const tags = ["customers"];

  app.delete(
    "/v1/customers/:customerId",
    {
      schema: {
        operationId: "delete-customer",
        tags,
        params: CustomerParams,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeCustomer(context, callOf(request), request.params.customerId, erasures);
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/v1/customers/:customerId/permanent-deletion",
    {
      schema: {
        operationId: "customer-permanently-deletion",
        tags,
        params: CustomerParams,
        response: withProblems({ 200: PermanentDeletion }),
      },
    },
    (request) => deletePermanently(context, callOf(request), request.params.customerId, { erasures, forgettings }),
  );
}
