import type { Deciding } from "../../../deciding/index.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { callOf } from "../../projects/index.js";
import { PreviewBody, PreviewInput } from "./preview.schemas.js";
import { preview } from "./preview.service.js";

/** `/dashboard/v1/preview`: what a discount or a rule would do, before it is saved. */
export function previewRoutes(app: App, deciding: Deciding): void {
  app.post(
    "/dashboard/v1/preview",
    {
      config: { changes_nothing: true },
      schema: {
        operationId: "preview-unsaved",
        tags: ["dashboard"],
        body: PreviewInput,
        response: withProblems({ 200: PreviewBody }),
      },
    },
    (request) => preview(deciding, callOf(request), request.body),
  );
}
