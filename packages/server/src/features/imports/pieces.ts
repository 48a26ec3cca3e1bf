import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { piece_length_max, piece_rows_max, type WaitingRow } from "./import.js";
import { insertPiece } from "./import.store.js";

/** Keeps rows in pieces as they come, so that no more than one piece of them is in memory. */
export class PieceWriter {
  private rows: WaitingRow[] = [];
  private length = 0;

  constructor(
    private readonly db: Queries,
    private readonly of: { project_id: string; import_id: string; instant: Instant },
  ) {}

  /** @param length of the row, as nearly as it is known */
  async add(row: WaitingRow, length: number): Promise<void> {
    this.rows.push(row);
    this.length += length;
    if (this.rows.length >= piece_rows_max || this.length >= piece_length_max) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.rows.length === 0) return;
    const { project_id, import_id, instant } = this.of;
    await insertPiece(this.db, project_id, import_id, this.rows, instant);
    this.rows = [];
    this.length = 0;
  }
}
