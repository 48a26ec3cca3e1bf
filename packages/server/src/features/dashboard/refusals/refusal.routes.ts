import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { problems } from "../../../platform/http/problems.js";
import { withProblems } from "../../../platform/http/schema.js";
import { type Call, callOf, contextOf } from "../../projects/index.js";
import { findLastRefusal } from "../../validation-log/index.js";
import { codeKey, findVoucher } from "../../vouchers/index.js";
import { LastRefusal, RefusalParams } from "./refusal.schemas.js";

/** `/dashboard/v1/vouchers/<code>/last-refusal`: why it did not work, for whoever has a caller on the line. */
export function refusalRoutes(app: App, context: Context): void {
  app.get(
    "/dashboard/v1/vouchers/:code/last-refusal",
    {
      schema: {
        operationId: "get-last-refusal",
        tags: ["dashboard"],
        params: RefusalParams,
        response: withProblems({ 200: LastRefusal }),
      },
    },
    (request) => readLastRefusal(contextOf(context, request), callOf(request), request.params.code),
  );
}

async function readLastRefusal(
  { db }: Context,
  { project_id, project, instant }: Call,
  code: string,
): Promise<LastRefusal> {
  const voucher = await findVoucher(db, project_id, code, codeKey(project, code));
  if (!voucher) throw problems.notFound("voucher", code);
  const found = await findLastRefusal(db, project_id, voucher.id, instant);
  if (!found) return { refusal: null };
  const { project_id: _project_id, group_id, created_at, explanation, ...refusal } = found;
  const shown = explanation as NonNullable<LastRefusal["refusal"]>["explanation"];
  return { refusal: { ...refusal, explanation: shown, request_id: group_id, created_at: isoOf(created_at) } };
}
