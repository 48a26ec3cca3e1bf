import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { LoggedValidationQuery, LoggedValidationSlice } from "./validation.schemas.js";
import { readLoggedValidations } from "./validation.service.js";

/** `/dashboard/v1/validations`: what was asked about, by whom, and what it came to. */
export function validationRoutes(app: App, context: Context): void {
  app.get(
    "/dashboard/v1/validations",
    {
      schema: {
        operationId: "list-logged-validations",
        tags: ["dashboard"],
        querystring: LoggedValidationQuery,
        response: withProblems({ 200: LoggedValidationSlice }),
      },
    },
    (request) => readLoggedValidations(contextOf(context, request), callOf(request), request.query),
  );
}
