import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const house = fileURLToPath(new URL("../../../..", import.meta.url));

/** A small checkout in a temporary folder, gone with the test: path → text. */
export function aTree(files: Record<string, string>): string {
  const root = mkdtempSync(path.join(tmpdir(), "guerdon-house-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return root;
}
