import { busyDeciding, catalogueTooLarge } from "./budget.js";
import type { KeptCatalogues } from "./kept-catalogues.js";

/** What catalogues take that are being read, and are not kept yet: others make room for them. */
export class BeingRead {
  private readonly bytes = new Map<string, number>();

  constructor(
    private readonly kept: KeptCatalogues,
    private readonly bytes_max: number,
  ) {}

  /** @throws a 503 of the project's own when it has no room */
  readonly grown = (project_id: string, bytes: number): void => {
    const own = (this.bytes.get(project_id) ?? 0) + bytes;
    if (own > this.bytes_max) throw catalogueTooLarge(this.bytes_max);
    this.bytes.set(project_id, own);
    const together = [...this.bytes.values()].reduce((sum, one) => sum + one, 0);
    if (together > this.bytes_max) throw busyDeciding();
    this.kept.shrinkTo(this.bytes_max - together, this.kept.get(project_id));
  };

  done(project_id: string): void {
    this.bytes.delete(project_id);
  }
}
