import type { FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import { type Change, change, holding, type Requested } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import { bulkQueueKey, startAsyncAction } from "../async-actions/index.js";
import { callOf } from "../projects/index.js";
import { type ImportKind, type ImportParameters, imports_max } from "./import.js";
import { countOthers } from "./import.store.js";
import { PieceWriter } from "./pieces.js";

export interface Started {
  async_action_id: string;
}

/** Starts the import of a file that `keepingFile` has kept; it is refused by what `parametersOf` throws. */
export function importFile<Parameters extends object>(
  context: Context,
  request: FastifyRequest,
  kind: Pick<ImportKind<never, Parameters>, "type">,
  parametersOf: (change: Change) => Promise<Parameters>,
): Promise<Started> {
  const { kept_file } = request;
  if (!kept_file) throw new Error(`a ${kind.type} was started without its file`);
  const { import_id, ...file } = kept_file;
  return change(context, callOf(request), async (change) =>
    start(change, kind.type, import_id, { ...(await parametersOf(change)), ...file }),
  );
}

/** Starts the import of rows that were sent as JSON, once `check` has found nothing wrong with all of them. */
export function importRows<Row, Parameters extends object>(
  context: Context,
  call: Requested,
  kind: Pick<ImportKind<never, Parameters>, "type">,
  rows: readonly Row[],
  check: (change: Change) => Promise<Parameters>,
): Promise<Started> {
  return change(context, call, async (change) => {
    const parameters = await check(change);
    const import_id = newId("aa");
    const started = await start(change, kind.type, import_id, { ...parameters, count: rows.length });
    const { project_id, instant } = call;
    const writer = new PieceWriter(change.tx, { project_id, import_id, instant });
    for (const [i, said] of rows.entries()) await writer.add({ row: i + 1, said }, JSON.stringify(said).length);
    await writer.flush();
    return started;
  });
}

async function start(
  change: Change,
  type: ImportKind<never>["type"],
  id: string,
  parameters: ImportParameters,
): Promise<Started> {
  const { project_id } = change.cause;
  // Under the key of the queue nobody else is counting.
  const others = await holding(change.tx, [bulkQueueKey(project_id)], () => countOthers(change.tx, project_id, id));
  if (others >= imports_max) throw refusals.importsLimitExceeded(imports_max);
  return { async_action_id: await startAsyncAction(change, { id, type, parameters: { ...parameters } }) };
}
