import Type from "typebox";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { integer, named, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { ProgramParams } from "../programs/index.js";
import { readLiability } from "./liability.service.js";

const LiabilityBody = named(
  "ProgramLiability",
  Type.Object({
    campaign_id: Type.String(),
    outstanding: integer({ description: "Points on all cards of the program." }),
    pending: integer({ description: "Points that wait for their day, and are not on the cards yet." }),
    not_expiring: integer({ description: "Of these, those that do not expire." }),
    expiring: Type.Array(
      Type.Object({
        month: Type.String({ format: "date", description: "The first day of the month in which they expire." }),
        points: integer(),
      }),
    ),
    object: Type.Literal("liability"),
  }),
);

/** What a program owes its members: of our own, for the dashboard. */
export function liabilityRoutes(app: App, context: Context): void {
  app.get(
    "/v1/loyalties/:campaignId/liability",
    {
      schema: {
        operationId: "get-loyalty-program-liability",
        tags: ["loyalties"],
        params: ProgramParams,
        response: withProblems({ 200: LiabilityBody }),
      },
    },
    async (request) => {
      const { db } = contextOf(context, request);
      const liability = await readLiability(db, callOf(request).project_id, request.params.campaignId);
      return { ...liability, object: "liability" as const };
    },
  );
}
