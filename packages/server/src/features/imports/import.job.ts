import type { Change } from "../../recording/index.js";
import { type AsyncJob, CannotGoOn, type RunningAction, type Slice } from "../async-actions/index.js";
import { findProject, readMetadataSchemas } from "../projects/index.js";
import {
  type ImportKind,
  type ImportParameters,
  type ImportTurn,
  piece_rows_max,
  type RowOutcome,
  refused_told_max,
} from "./import.js";
import { deletePieces, readPieces } from "./import.store.js";
import { type PendingRow, rowReader } from "./row-reader.js";

/** A row that was refused, as the result tells it. */
interface Failed {
  code?: string;
  source_id?: string;
  row?: number;
  reason: string;
}

/** How far an import is. */
interface State {
  /** The last row that was done. */
  row: number;
  new_count: number;
  failed: Failed[];
}

type Action<Parameters> = RunningAction<ImportParameters<Parameters>, State>;

interface DoneRow {
  row: number;
  name: string;
  outcome: RowOutcome;
}

/** Of a reason that is told, and of a name. */
const reason_length_max = 1_000;
const name_length_max = 255;

/** An import as a job: a slice takes the next rows, and writes with them how far it has come. */
export function importJob<Row extends object, Parameters extends object>(
  kind: ImportKind<Row, Parameters>,
): AsyncJob<ImportParameters<Parameters>, State> {
  const readerOf = rowReader(kind);
  return {
    type: kind.type,
    rows: kind.rows,
    async slice(change, action): Promise<Slice> {
      const after = action.state?.row ?? 0;
      const pieces_max = Math.ceil(action.rows_max / piece_rows_max) + 1;
      const waiting = await readPieces(change.tx, action, after, pieces_max);
      const turn = await turnOf(change, action);
      const next = waiting.filter(({ row }) => row > after).slice(0, action.rows_max);
      if (next.length === 0 && after < action.parameters.count)
        throw new CannotGoOn("The rows that were sent are gone");
      return sliceOf(change, action, kind, turn, await outcomesOf(change, kind, turn, next.map(readerOf(turn))));
    },
    async failed(change, action) {
      await deletePieces(change.tx, action);
      await kind.ended?.(change, await turnOf(change, action), action.state?.new_count ?? 0);
    },
  };
}

/** What became of as many of the rows as were done. */
async function outcomesOf<Row extends object, Parameters extends object>(
  change: Change,
  kind: ImportKind<Row, Parameters>,
  turn: ImportTurn<Parameters>,
  next: readonly PendingRow<Row>[],
): Promise<DoneRow[]> {
  const outcomes = next.length > 0 ? await kind.apply(change, turn, next) : [];
  return next.slice(0, outcomes.length).map(({ row, name, refused }, i) => {
    return { row, name, outcome: outcomes[i] ?? { refused: refused ?? "" } };
  });
}

async function sliceOf<Row extends object, Parameters extends object>(
  change: Change,
  action: Action<Parameters>,
  kind: ImportKind<Row, Parameters>,
  turn: ImportTurn<Parameters>,
  done: readonly DoneRow[],
): Promise<Slice> {
  const { state, parameters } = action;
  const refused = done.flatMap((one) => ("refused" in one.outcome ? [toldOf(kind, one, one.outcome.refused)] : []));
  const failed = [...(state?.failed ?? []), ...refused].slice(0, refused_told_max);
  const is_new = done.filter(({ outcome }) => "is_new" in outcome && outcome.is_new);
  const new_count = (state?.new_count ?? 0) + is_new.length;
  const counts = { done_count: done.length - refused.length, failed_count: refused.length };
  const row = done.at(-1)?.row ?? parameters.count;
  if (row < parameters.count) {
    return { ...counts, done: false, progress: (100 * row) / parameters.count, state: { row, new_count, failed } };
  }
  await deletePieces(change.tx, action);
  await kind.ended?.(change, turn, new_count);
  const done_count = action.done_count + counts.done_count;
  const failed_count = action.failed_count + counts.failed_count;
  const message = `${done_count} ${kind.noun}(s) imported successfully, ${failed_count} failed.`;
  return { ...counts, done: true, result: { message, failed, done_count, failed_count } };
}

/** A row of a file is told with its number. */
function toldOf(
  { told_by, csv }: Pick<ImportKind<never>, "told_by"> & { csv?: unknown },
  { row, name }: DoneRow,
  reason: string,
): Failed {
  return {
    ...(told_by === null ? {} : { [told_by]: name.slice(0, name_length_max) }),
    ...(csv ? { row } : {}),
    reason: reason.slice(0, reason_length_max),
  };
}

async function turnOf<Parameters>(
  { tx }: Change,
  { project_id, instant, parameters }: Action<Parameters>,
): Promise<ImportTurn<Parameters>> {
  const project = await findProject(tx, project_id);
  if (!project) throw new CannotGoOn("The project is gone");
  return { project_id, instant, project, parameters, metadata_schemas: await readMetadataSchemas(tx, project_id) };
}
