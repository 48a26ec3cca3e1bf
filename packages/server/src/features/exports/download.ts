import { Readable } from "node:stream";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import type { ExportRow } from "./export.js";
import { findExport, readPart } from "./export.store.js";

/** The file that the token is for. Whoever holds the token may have it, until the export is gone (§10.1). */
export async function openFile(
  { db, seal, clock }: Context,
  id: string,
  token: string,
  signal: AbortSignal,
): Promise<{ file: Readable; bytes: number }> {
  const [project_id, token_id] = (seal.readToken("exports", token) ?? "").split(" ");
  if (!project_id || token_id !== id) throw problems.unauthorized();
  const found = await findExport(db, project_id, id, clock.now());
  if (found?.status !== "DONE") throw problems.unauthorized();
  return { file: Readable.from(piecesOf(db.of(project_id, signal), project_id, found)), bytes: found.bytes };
}

/** Piece by piece, as fast as they are taken: nobody who is slow holds a connection meanwhile, or more than a piece. */
async function* piecesOf(db: Queries, project_id: string, { id, parts }: ExportRow): AsyncGenerator<Buffer> {
  for (let place = 1; place <= parts; place += 1) {
    const part = await readPart(db, project_id, id, place);
    // Deleted meanwhile: what was sent is told to be not all by its length.
    if (!part) throw new Error(`export ${id} was deleted under its download`);
    yield part.content;
  }
}
