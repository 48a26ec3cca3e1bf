import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the files of a run keep what each of them would make alike. */
    templates_folder: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "guerdon-templates-"));
  // PostgreSQL's user passes through it under root.
  chmodSync(folder, 0o711);
  project.provide("templates_folder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
