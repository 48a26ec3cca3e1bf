import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import {
  PublicationBody,
  PublicationCreate,
  PublicationCreateQuery,
  PublicationList,
  PublicationOptions,
  PublicationQuery,
} from "./publication.schemas.js";
import { readPublications } from "./publication-list.service.js";
import { createPublication, createPublicationByQuery } from "./publish.js";

/** `/v1/publications` (vouchers-and-campaigns.md §11). */
export function publicationRoutes(app: App, context: Context): void {
  const tags = ["publications"];
  const response = withProblems({ 200: PublicationBody });

  app.post(
    "/v1/publications",
    {
      config: { makes: ["publication"] },
      schema: {
        operationId: "create-publication",
        tags,
        querystring: PublicationOptions,
        body: PublicationCreate,
        response,
      },
    },
    (request) => createPublication(context, callOf(request), request.body, request.query.join_once ?? false),
  );

  app.get(
    "/v1/publications",
    {
      schema: {
        operationId: "list-publications",
        tags,
        querystring: PublicationQuery,
        response: withProblems({ 200: PublicationList }),
      },
    },
    (request) => readPublications(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/publications/create",
    {
      schema: {
        operationId: "create-publication-1",
        tags,
        description: "The older call, which publishes one voucher. For keys of integrations alone.",
        querystring: PublicationCreateQuery,
        response,
      },
    },
    (request) => createPublicationByQuery(context, callOf(request), request.query),
  );
}
