import type { Deciding } from "../../deciding/index.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { QualificationAnswer, QualificationBody } from "./qualification.schemas.js";
import { qualify } from "./qualification.service.js";

/** `/v1/qualifications` and its older forms (redemption.md §13, §15). */
export function qualificationRoutes(app: App, _context: Context, deciding: Deciding): void {
  app.post(
    "/v1/qualifications",
    {
      schema: {
        operationId: "check-eligibility",
        tags: ["qualifications"],
        body: QualificationBody,
        response: withProblems({ 200: QualificationAnswer }),
      },
    },
    (request) => qualify({ ...deciding, context: contextOf(deciding.context, request) }, callOf(request), request.body),
  );
}
