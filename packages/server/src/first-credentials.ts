import { chmod, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigRefused } from "./config.js";
import { type FirstProject, makeFirstProject } from "./features/projects/index.js";
import type { Context } from "./platform/context.js";
import { Unavailable } from "./platform/db/database-errors.js";

/**
 * Makes the first project where the database is empty, keeps its credentials in the data folder and prints them, once. The file
 * comes before the commit: stored are hashes alone, so keys that cannot be written down are never made.
 */
export async function makeAndShowFirstProject(
  context: Context,
  { data_dir, first_project }: { data_dir: string; first_project: Parameters<typeof makeFirstProject>[1] },
): Promise<void> {
  const file = join(data_dir, "credentials.env");
  let is_kept = false;
  const first = await makeFirstProject(context, first_project, async (made) => {
    await keep(file, linesOf(made));
    is_kept = true;
  }).catch(async (error: unknown) => {
    // Keys that nobody has. Where it is not known whether they were stored the file stays: the next start writes it anew if not.
    if (is_kept && !(error instanceof Unavailable)) await rm(file, { force: true });
    throw error;
  });
  if (!first) return;
  console.log(`\nA first project was made. Its credentials are shown only now; they are also in ${file}\n`);
  for (const line of linesOf(first)) console.log(`  ${line}`);
  console.log("");
}

function linesOf({ project_id, server_key, client_key, management_key }: FirstProject): string[] {
  const variables = {
    GUERDON_PROJECT_ID: project_id,
    GUERDON_APP_ID: server_key.app_id,
    GUERDON_APP_TOKEN: server_key.app_token,
    GUERDON_CLIENT_ID: client_key.app_id,
    GUERDON_CLIENT_TOKEN: client_key.app_token,
    GUERDON_MANAGEMENT_ID: management_key.id,
    GUERDON_MANAGEMENT_TOKEN: management_key.token,
  };
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

/** Whole or not at all, on disk, and at no moment readable to others, whatever was there before. */
async function keep(file: string, lines: readonly string[]): Promise<void> {
  const draft = `${file}.new`;
  try {
    const handle = await open(draft, "w", 0o600);
    try {
      await chmod(draft, 0o600);
      await handle.writeFile(`${lines.join("\n")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new ConfigRefused(
      `GUERDON_DATA_DIR: the first project's keys cannot be kept in ${file}, so none were made: ${(error as Error).message}`,
    );
  }
}
