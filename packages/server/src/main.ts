import { ConfigRefused, readConfig } from "./config.js";
import { SecretKeyDiffers } from "./features/projects/index.js";
import { printOpenApi } from "./openapi.js";
import { DatabaseRefused } from "./platform/db/migrate.js";
import { StartRefused } from "./platform/postgres/index.js";
import { migrateOnly, PortTaken, serve } from "./serve.js";

const commands: Record<string, () => Promise<void>> = {
  serve: () => serve(readConfig()),
  migrate: () => migrateOnly(readConfig()),
  openapi: () => printOpenApi(),
};

const name = process.argv[2] ?? "serve";
const command = commands[name];
if (!command) {
  console.error(`unknown command '${name}'; there are: ${Object.keys(commands).join(", ")}`);
  process.exit(2);
}
try {
  await command();
} catch (error) {
  // What the operator can mend is one line; anything else is ours, with its stack.
  const is_refusal = [ConfigRefused, DatabaseRefused, StartRefused, SecretKeyDiffers, PortTaken].some(
    (kind) => error instanceof kind,
  );
  console.error(is_refusal ? `guerdon: ${(error as Error).message}` : error);
  process.exit(1);
}
