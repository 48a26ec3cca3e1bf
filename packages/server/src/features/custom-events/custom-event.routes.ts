import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { CustomEventBody, CustomEventInput } from "./custom-event.schemas.js";
import { recordCustomEvent } from "./custom-event.service.js";

/** `POST /v1/events` (platform.md §6). */
export function customEventRoutes(app: App, context: Context): void {
  app.post(
    "/v1/events",
    {
      schema: {
        operationId: "track-custom-event",
        tags: ["events"],
        body: CustomEventInput,
        response: withProblems({ 200: CustomEventBody }),
      },
    },
    (request) => recordCustomEvent(context, callOf(request), request.body),
  );
}
