import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { sql } from "../../platform/sql.js";

const Alive = Type.Object({ status: Type.Literal("ok") });

/** `/health`, `/ready` and the API's own description (architecture.md §2, §7). */
export function systemRoutes(app: App, { db }: Context): void {
  const tags = ["system"];

  app.get(
    "/health",
    {
      schema: { operationId: "health", tags, summary: "The process answers.", response: withProblems({ 200: Alive }) },
    },
    async () => ({ status: "ok" as const }),
  );

  app.get(
    "/ready",
    {
      schema: {
        operationId: "ready",
        tags,
        summary: "The database answers too.",
        response: withProblems({ 200: Alive }),
      },
    },
    async () => {
      await db.one(sql`-- every project: any row will do
        select installation.only_one from installation`);
      return { status: "ok" as const };
    },
  );

  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
}
