import { buildApp } from "./app.js";
import type { Context } from "./platform/context.js";
import { createLog } from "./platform/log.js";
import { createMetrics } from "./platform/metrics.js";

/** The API's description as JSON text; needs no database. */
export async function openApiText(): Promise<string> {
  // Routes are only described here, never called, so nothing behind them is needed.
  const context = {
    config: { cluster_id: "eu1", host: "" },
    log: createLog("silent"),
    metrics: createMetrics(),
  } as Context;
  const app = await buildApp(context, { is_described: true });
  await app.ready();
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}

export async function printOpenApi(): Promise<void> {
  process.stdout.write(await openApiText());
}
