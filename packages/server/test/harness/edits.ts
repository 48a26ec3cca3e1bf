import type { Context } from "../../src/platform/context.js";
import type { Sql } from "../../src/platform/db/sql.js";
import { newRequestId } from "../../src/platform/ids.js";
import { change } from "../../src/recording/index.js";

/** Edits a project's settings or keys as an administration that is not built yet will: the catalogue moves with them. */
export async function editSettings(
  context: Pick<Context, "db" | "bell" | "clock" | "seal">,
  project_id: string,
  statement: Sql,
): Promise<void> {
  const cause = {
    project_id,
    request_id: newRequestId(),
    event_source: { channel: "API" as const },
    instant: context.clock.now(),
  };
  await change(context, cause, async ({ tx, edited }) => {
    await tx.run(statement);
    edited({ kind: "project", id: project_id });
  });
}
