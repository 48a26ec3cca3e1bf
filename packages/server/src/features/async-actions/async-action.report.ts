import type { Readable } from "node:stream";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { type CsvCell, type CsvFormulas, writeCsv } from "../../platform/csv/write.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { problems } from "../../platform/http/problems.js";
import { type AsyncAction, type AsyncActionType, results_kept_ms } from "./async-action.js";
import { findAsyncAction, readResultRows } from "./async-action.store.js";

/** What became of one resource of a bulk request: a row of its report (vouchers-and-campaigns.md §8). */
export interface BulkOutcome {
  /** Vouchers are named by their code, customers and products by their source id. */
  code?: string;
  source_id?: string;
  found: boolean;
  updated: boolean;
  error?: BulkError;
}

/** Why a resource was left as it is; with the name of the resource where the request gave each its own change. */
export interface BulkError {
  key: string;
  message: string;
  details: string;
  code?: string;
  source_id?: string;
}

/** Errors told in the result itself; the report has them all. */
export const errors_max = 1_000;

/** The result of a bulk request that has ended. Its report is named here; the url is made when the action is read. */
export function bulkResult(
  counts: { done_count: number; failed_count: number },
  errors: readonly BulkError[],
  instant: Instant,
): Record<string, unknown> {
  return { ...counts, reports: ["report"], reports_available_till: isoOf(instant + results_kept_ms), errors };
}

/** The result with urls in place of the names of its reports. Whoever has the url may load the report. */
export function withReportUrls(
  { seal, public_url }: Context,
  project_id: string,
  { id, result }: Pick<AsyncAction, "id" | "result">,
): AsyncAction["result"] {
  if (!result || !Array.isArray(result.reports)) return result;
  const token = seal.token("reports", `${project_id} ${id}`);
  return {
    ...result,
    reports: result.reports.map((name) => `${public_url()}/v1/async-actions/${id}/${name}?token=${token}`),
  };
}

/** The report that the token is for, as CSV: a row a resource, read a page at a time. */
export async function readReport(
  { db, seal, clock }: Context,
  id: string,
  { token, formulas }: { token?: string | undefined; formulas?: CsvFormulas | undefined },
): Promise<Readable> {
  const [project_id, token_id] = (seal.readToken("reports", token ?? "") ?? "").split(" ");
  if (!project_id || token_id !== id) throw problems.unauthorized();
  const action = await findAsyncAction(db, project_id, id);
  const till = instantOrNull(action?.result?.reports_available_till as string | undefined);
  if (!action || till === null || clock.now() > till) throw problems.notFound("report", id);
  return writeCsv([nameOf(action.type), "found", "updated", "errors"], rowsOf({ db }, project_id, action), formulas);
}

const rows_of_page = 2_000;

async function* rowsOf(
  { db }: Pick<Context, "db">,
  project_id: string,
  { id, type }: AsyncAction,
): AsyncGenerator<CsvCell[]> {
  const name = nameOf(type);
  for (let after = 0; ; ) {
    const page = await readResultRows<BulkOutcome>(db, { project_id, id }, after, rows_of_page);
    for (const { outcome } of page) {
      yield [outcome[name] ?? null, outcome.found, outcome.updated, outcome.error?.details ?? null];
    }
    if (page.length < rows_of_page) return;
    after = page.at(-1)?.number ?? after;
  }
}

const nameOf = (type: AsyncActionType) => (type.startsWith("VOUCHERS.") ? "code" : "source_id");
