import { countInCampaigns } from "../../books/index.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { type Buffered, buffered } from "../../platform/jobs/buffered.js";
import { type LoggedValidation, pause_ms, type Verdict, waiting_chars_max } from "./validation-log.js";
import { insertValidations } from "./validation-log.store.js";

/** Where validations are told once they are answered. */
export type ValidationLog = Buffered<LoggedValidation>;

const row_chars = 300;
const verdict_chars = 100;

const sizeOf = ({ id, result }: Verdict) => verdict_chars + id.length + (result?.error.message.length ?? 0);

/** The log of a process: whoever validates waits for none of it. */
export const openValidationLog = ({ db, log }: Pick<Context, "db" | "log">): ValidationLog =>
  buffered({
    name: "validations",
    write: async (rows) => {
      await insertValidations(db, rows);
      await countValidations(db, rows);
    },
    sizeOf: ({ redeemables }) => redeemables.reduce((sum, verdict) => sum + sizeOf(verdict), row_chars),
    chars_max: waiting_chars_max,
    pause_ms,
    log,
  });

/** Campaigns show how often their codes were asked about (vouchers-and-campaigns.md §20). */
async function countValidations(db: Queries, rows: readonly LoggedValidation[]): Promise<void> {
  const projects = [...new Set(rows.map(({ project_id }) => project_id))].sort();
  for (const project_id of projects) {
    const moves = rows
      .filter((row) => row.project_id === project_id)
      .flatMap(({ campaigns = [], created_at: at }) =>
        campaigns.map(({ campaign_id, valid }) => ({
          ...{ campaign_id, at },
          counts: { [valid ? "validations_succeeded" : "validations_failed"]: 1 },
        })),
      );
    await countInCampaigns(db, project_id, moves, "validations");
  }
}
