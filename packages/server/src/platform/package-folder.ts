import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of this package. The same code runs from `src`, a file a module, and from the one file that a start is made of
 * (ADR 81): what lies beside them is found from here, not from a module's place.
 */
export const package_folder = folderAbove(dirname(fileURLToPath(import.meta.url)));

function folderAbove(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder + sep;
  const above = dirname(folder);
  if (above === folder) throw new Error("the service does not stand in its package");
  return folderAbove(above);
}
