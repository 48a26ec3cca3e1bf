import { default_exports } from "../../platform/bounds.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { withoutNulls } from "../../platform/fields.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change, holding } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import { deleteInternal, startAsyncAction } from "../async-actions/index.js";
import type { Call } from "../projects/index.js";
import { checkOrder, columnsOf, wantedRows, withinFilters } from "./asked.js";
import { type ExportPlan, type ExportRow, kept_bytes_max, kept_max, under_way_max, type Within } from "./export.js";
import type { ExportBody, ExportQuery, ExportSent } from "./export.schemas.js";
import { countExports, deleteExport, findExport, insertExport, listExports } from "./export.store.js";
import type { ExportedObject } from "./exported-object.js";

const day_ms = 24 * 60 * 60_000;

/** Whose exports are counted and started one after the other. */
const exportsKey = (project_id: string) => ({ project_id, kind: "name", id: "exports" }) as const;

/**
 * `POST /v1/exports`, and what exports one object at its own address: the file is written later (§10.1).
 * @param within of which one thing the rows must be, beside what the filters ask
 */
export function startExport(
  context: Context,
  call: Call,
  object: ExportedObject,
  { order = object.default_order, fields, filters, campaign_id }: ExportSent = {},
  within?: Within,
): Promise<ExportBody> {
  const { project, project_id, instant } = call;
  const rows = object.of(project);
  const of_campaign: ExportPlan["scope"] = campaign_id === undefined ? {} : { campaign_id };
  const columns = columnsOf(object, rows, fields, call.metadata_schemas);
  const scope = { ...of_campaign, ...(within && { [within.field]: within.id }) };
  wantedRows(rows, { filters, scope }, project, instant);
  const shown = within ? withinFilters(filters, within) : filters;
  const parameters = {
    order: checkOrder(rows, order),
    ...withoutNulls({ fields, filters: shown }),
    ...of_campaign,
  };
  const { bytes_max, days } = context.config.exports ?? default_exports;
  return change(context, call, async (change) => {
    await holding(change.tx, [exportsKey(project_id)], () => assertRoom(change.tx, call, bytes_max));
    const id = newId("exp");
    const made: ExportRow = {
      id,
      exported_object: object.name,
      status: "SCHEDULED",
      channel: call.event_source.channel,
      user_id: call.event_source.user?.id ?? null,
      parameters,
      plan: {
        columns,
        formulas: project.neutralise_export_formulas ? "neutralise" : "keep",
        public_url: context.public_url(),
        scope,
        filters: filters ?? {},
        bytes_max,
      },
      action_id: await startAsyncAction(change, { type: "EXPORTS.WRITE", parameters: { export_id: id } }),
      parts: 0,
      bytes: 0,
      error: null,
      created_at: instant,
      expires_at: instant + days * day_ms,
    };
    await insertExport(change.tx, project_id, made);
    return toExportBody(context, project_id, made);
  });
}

async function assertRoom(tx: Tx, { project_id, instant }: Call, bytes_max: number): Promise<void> {
  const { under_way, kept, bytes } = await countExports(tx, project_id, instant);
  if (under_way >= under_way_max) throw refusals.exportsLimitExceeded(`${under_way_max} exports are under way`);
  if (kept >= kept_max) throw refusals.exportsLimitExceeded(`${kept_max} exports are kept: delete some`);
  if (bytes >= Math.max(kept_bytes_max, bytes_max)) {
    throw refusals.exportsLimitExceeded(`the files that are kept have ${bytes} bytes: delete some`);
  }
}

export async function readExport(context: Context, call: Call, id: string): Promise<ExportBody> {
  return toExportBody(context, call.project_id, await knownExport(context.db, call, id));
}

export async function readExports(context: Context, call: Call, query: ExportQuery) {
  const { project_id, instant } = call;
  const page = pageOf(query);
  const listed = await listExports(context.db, project_id, instant, query.order ?? "-created_at", page);
  const bodies = listed.rows.map((one) => toExportBody(context, project_id, one));
  return listBody("exports", bodies, countsOf(listed, page));
}

/** Takes the export away with its file, whether it is written yet or not. */
export async function removeExport(context: Context, call: Call, id: string): Promise<null> {
  await change(context, call, ({ tx }: Change) => removeWithin(tx, call, id));
  return null;
}

async function removeWithin(tx: Tx, call: Call, id: string): Promise<null> {
  const { project_id } = call;
  const { action_id } = await knownExport(tx, call, id);
  // In the order in which a slice holds the two, which is waited for.
  await deleteInternal(tx, project_id, action_id);
  const gone = await deleteExport(tx, project_id, id);
  if (gone === 0) throw problems.notFound("export", id);
  return null;
}

async function knownExport(db: Queries, { project_id, instant }: Call, id: string): Promise<ExportRow> {
  const found = await findExport(db, project_id, id, instant);
  if (!found) throw problems.notFound("export", id);
  return found;
}

/** An export as answered; whoever has the url may load the file. */
function toExportBody({ seal, public_url }: Context, project_id: string, found: ExportRow): ExportBody {
  const { id, status, channel, exported_object, parameters, user_id, error, created_at } = found;
  const token = seal.token("exports", `${project_id} ${id}`);
  return {
    id,
    object: "export",
    created_at: isoOf(created_at),
    status,
    channel,
    exported_object,
    parameters,
    result: status === "DONE" ? { url: `${public_url()}/v1/exports/${id}?token=${token}` } : null,
    user_id,
    ...(error === null ? {} : { error: { message: error } }),
  };
}
