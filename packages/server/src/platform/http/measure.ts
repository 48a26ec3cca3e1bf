import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics.js";
import { atOnce } from "./hooks.js";

/** Tells how long each operation took. What has no `operationId`, and what nobody serves, is told together. */
export function measureRequests(app: Pick<FastifyInstance, "addHook">, metrics: Pick<Metrics, "answered">): void {
  app.addHook(
    "onResponse",
    atOnce((request, reply) => {
      const operation = request.routeOptions.schema as { operationId?: string } | undefined;
      metrics.answered(operation?.operationId, reply.statusCode, reply.elapsedTime / 1000);
    }),
  );
}
