import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { CustomEventBody, CustomEventInput } from "../custom-events/index.js";
import { callOf } from "../projects/index.js";
import { PublicationBody } from "../publications/index.js";
import { PagePublication, PagePublicationQuery } from "./telling.schemas.js";
import { publishOnPage, recordEventOnPage } from "./telling.service.js";

/** What a page tells the shop: that somebody wants a code, and what they did. */
export function tellingRoutes(app: App, context: Context): void {
  const tags = ["client-side"];

  app.post(
    "/client/v1/publish",
    {
      config: { client_switch: "client_publish_enabled", makes: ["publication"] },
      schema: {
        operationId: "create-publication-client-side",
        tags,
        querystring: PagePublicationQuery,
        body: PagePublication,
        response: withProblems({ 200: PublicationBody }),
      },
    },
    (request) => publishOnPage(context, callOf(request), request.query, request.body),
  );

  app.post(
    "/client/v1/events",
    {
      schema: {
        operationId: "track-custom-event-client-side",
        tags,
        body: CustomEventInput,
        response: withProblems({ 200: CustomEventBody }),
      },
    },
    (request) => recordEventOnPage(context, callOf(request), request.body),
  );
}
