import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { LocationBody, LocationList, LocationParams, LocationQuery } from "./location.schemas.js";
import { readLocation, readLocations } from "./location.service.js";

/** `/v1/locations` (vouchers-and-campaigns.md §18): read only. They are made in `features/management/locations`. */
export function locationRoutes(app: App, context: Context): void {
  const tags = ["locations"];

  app.get(
    "/v1/locations",
    {
      schema: {
        operationId: "list-locations",
        tags,
        querystring: LocationQuery,
        response: withProblems({ 200: LocationList }),
      },
    },
    (request) => readLocations(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/locations/:locationId",
    {
      schema: {
        operationId: "get-location",
        tags,
        params: LocationParams,
        response: withProblems({ 200: LocationBody }),
      },
    },
    (request) => readLocation(contextOf(context, request), callOf(request), request.params.locationId),
  );
}
