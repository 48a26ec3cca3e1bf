import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { readBounded } from "../../../platform/listing/index.js";
import { callOf, contextOf } from "../../projects/index.js";
import { LockList } from "./lock.schemas.js";
import { listLocks } from "./lock.store.js";

const locks_max = 100;

/** `/dashboard/v1/sessions`: what validations hold at the moment, whichever code it is of. */
export function lockRoutes(app: App, context: Context): void {
  app.get(
    "/dashboard/v1/sessions",
    { schema: { operationId: "list-locks", tags: ["dashboard"], response: withProblems({ 200: LockList }) } },
    async (request) => {
      const { db } = contextOf(context, request);
      const { project_id, instant } = callOf(request);
      const found = await readBounded(db, (queries) => listLocks(queries, project_id, instant, locks_max + 1));
      const data = found.slice(0, locks_max).map((lock) => ({ ...lock, expires_at: isoOf(lock.expires_at) }));
      return { data, has_more: found.length > locks_max };
    },
  );
}
