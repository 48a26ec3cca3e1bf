import cluster from "node:cluster";
import { ConfigRefused, readConfig } from "./config.js";
import { SecretKeyDiffers } from "./features/projects/index.js";
import { printOpenApi } from "./openapi.js";
import { DatabaseRefused } from "./platform/db/migrate.js";
import { StartRefused } from "./platform/postgres/index.js";
import { NoneBegan } from "./platform/processes/index.js";
import { serveAsOneOf } from "./serving/as-one.js";
import { printOwnerLink } from "./serving/owner-link.js";
import { migrateOnly, serve } from "./serving/serve.js";
import { PortTaken } from "./serving/service.js";

const [, , name = "serve", number] = process.argv;
// Whoever keeps several processes numbers them: it stands where an operator sees it, behind the command.
const is_one_of_many = cluster.isWorker && number !== undefined;

const commands: Record<string, () => Promise<void>> = {
  serve: () => (is_one_of_many ? serveAsOneOf(readConfig(), Number(number)) : serve(readConfig())),
  migrate: () => migrateOnly(readConfig()),
  "owner-link": () => printOwnerLink(readConfig()),
  openapi: () => printOpenApi(),
};

const command = commands[name];
if (!command) {
  console.error(`unknown command '${name}'; there are: ${Object.keys(commands).join(", ")}`);
  process.exit(2);
}
try {
  await command();
} catch (error) {
  // It has said itself why.
  if (error instanceof NoneBegan) process.exit(1);
  // What the operator can mend is one line; anything else is ours, with its stack.
  const is_refusal = [ConfigRefused, DatabaseRefused, StartRefused, SecretKeyDiffers, PortTaken].some(
    (kind) => error instanceof kind,
  );
  console.error(is_refusal ? `guerdon: ${(error as Error).message}` : error);
  process.exit(1);
}
