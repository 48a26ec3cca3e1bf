import Type from "typebox";
import type { Context } from "../../platform/context.js";
import { sql } from "../../platform/db/sql.js";
import type { App } from "../../platform/http/app.js";
import { problems } from "../../platform/http/problems.js";
import { withProblems } from "../../platform/http/schema.js";
import { hashOfSecret, isSecret } from "../../platform/secrets.js";
import { backlogReader } from "./backlog.js";
import { diskWatch } from "./disk.js";

const Alive = Type.Object({ status: Type.Literal("ok") });

/** `/health`, `/ready`, `/metrics` and the API's own description (architecture.md §2, §7, §11). */
export function systemRoutes(app: App, context: Context): void {
  const { db, metrics, config } = context;
  const tags = ["system"];
  const readBacklog = backlogReader(context);
  const canWrite = diskWatch(context);

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
        summary: "The database answers too, and can write.",
        response: withProblems({ 200: Alive }),
      },
    },
    async () => {
      await db.one(sql`-- every project: any row will do
        select installation.only_one from installation`);
      if (!(await canWrite())) throw problems.busy("The database's disk is full.");
      return { status: "ok" as const };
    },
  );

  app.get(
    "/metrics",
    {
      schema: {
        operationId: "metrics",
        tags,
        summary: "How this process is doing, for Prometheus.",
        description: "Nothing of any tenant. Asks for `GUERDON_METRICS_TOKEN` as a bearer token where that is set.",
        produces: ["text/plain"],
        response: withProblems({ 200: Type.String() }),
      },
    },
    async (request, reply) => {
      if (!mayLook(request.headers.authorization, config.metrics_token)) throw problems.unauthorized();
      const text = await metrics.text({ pool: db.pool(), backlog: await readBacklog() });
      return reply.type(metrics.content_type).send(text);
    },
  );
}

function mayLook(authorization = "", token: string | undefined): boolean {
  if (token === undefined) return true;
  const [, sent = ""] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  return isSecret(sent, hashOfSecret(token));
}
