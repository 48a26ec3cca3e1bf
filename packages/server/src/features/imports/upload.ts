import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { Context } from "../../platform/context.js";
import { type CsvRow, openCsv } from "../../platform/csv/read.js";
import { readUpload } from "../../platform/http/bodies/uploads.js";
import { problems } from "../../platform/http/problems.js";
import { named } from "../../platform/http/schema.js";
import { newId } from "../../platform/ids.js";
import type { Foreground } from "../../platform/sharing/foreground.js";
import { type Call, callOf } from "../projects/index.js";
import { readHeader } from "./header.js";
import { type CsvShape, columnOf, type ImportKind, import_rows_max, type WaitingRow } from "./import.js";
import { deleteUnclaimed } from "./import.store.js";
import { PieceWriter } from "./pieces.js";

/** A file whose rows are kept, but that no import has taken up yet. */
interface KeptFile {
  import_id: string;
  count: number;
  columns: readonly string[];
}

declare module "fastify" {
  interface FastifyRequest {
    kept_file?: KeptFile;
  }
}

/** The form of an import, as it is documented; `file` is by then the digest of what was sent. */
export const CsvForm = named(
  "CsvForm",
  Type.Object({
    file: Type.Unsafe<string>({
      type: "string",
      format: "binary",
      description: "Comma-separated text in UTF-8, its first row the names of the columns; 10 MB at most.",
    }),
  }),
);

/**
 * A hook for routes that take a file: keeps its rows, piece by piece as it arrives, before the body is looked at, so that
 * an `Idempotency-Key` and the schema see a body as always. What no import takes up goes when the request has ended.
 */
export function keepingFile<Row extends object>(context: Context, kind: ImportKind<Row>) {
  const { csv, told_by } = kind;
  if (!csv) throw new Error(`${kind.type} takes no file`);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const call = callOf(request);
    // Not the request's own, which ends when the body has come: a file that breaks off breaks its reading.
    const db = context.db.of(call.project_id);
    const import_id = newId("aa");
    reply.raw.once("close", () => {
      deleteUnclaimed(db, call.project_id, import_id).catch((err: Error) =>
        context.log.warn({ err, import_id }, "rows of a file that nobody takes up were left to the purge"),
      );
    });
    const writer = new PieceWriter(db, { ...call, import_id });
    const digest = createHash("sha256");
    const { taken, fields } = await readUpload(request, async (content) => {
      const kept = await keepRows(
        call,
        { csv, told_by },
        writer,
        Readable.from(noted(content, digest, context.turns.foreground)),
      );
      return { import_id, ...kept };
    });
    request.kept_file = taken;
    request.body = { ...fields, file: digest.digest("base64url") };
  };
}

/** Notes what comes, and lets those go first who wait for an answer. */
async function* noted(
  content: Readable,
  digest: { update(chunk: Buffer): unknown },
  foreground: Pick<Foreground, "giveWay">,
): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    digest.update(chunk);
    const begun = performance.now();
    yield chunk;
    await foreground.giveWay(performance.now() - begun);
  }
}

/** Keeps each row, a faulty one with its fault and what it is told by; a second one with a value that may stand once is faulty too. */
export async function keepRows<Row>(
  { project }: Pick<Call, "project">,
  { csv, told_by }: { csv: CsvShape<Row>; told_by: ImportKind<never>["told_by"] },
  writer: Pick<PieceWriter, "add" | "flush">,
  content: Readable,
  rows_max = import_rows_max,
) {
  const { columns, rows } = await openCsv(content);
  const { known } = readHeader(csv, columns);
  const once = csv.once && known.get(csv.once.column);
  const told = told_by === null ? undefined : known.get(columnOf(told_by));
  const seen = new Set<string>();
  let count = 0;

  const waiting = (row: CsvRow): WaitingRow => {
    if ("fault" in row) return { row: row.row, fault: row.fault, name: (told && row.cells[told.place]) ?? "" };
    if (!csv.once || !once) return row;
    const name = row.cells[once.place];
    if (!name) return row;
    const key = csv.once.keyOf(project, name);
    if (seen.has(key))
      return { row: row.row, name, fault: `Column '${once.title}' has a value that an earlier row has` };
    seen.add(key);
    return row;
  };

  for await (const row of rows) {
    count += 1;
    if (count > rows_max) throw problems.invalidPayload(`Property .file has more than ${rows_max} rows`);
    await writer.add(waiting(row), lengthOf(row.cells));
  }
  await writer.flush();
  return { count, columns };
}

const lengthOf = (cells: readonly string[]) => cells.reduce((length, cell) => length + cell.length + 3, 100);
