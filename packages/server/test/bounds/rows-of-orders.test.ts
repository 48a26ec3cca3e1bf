import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";
import { expect, test } from "vitest";
import { buildApp } from "../../src/app.js";
import { openApiText } from "../../src/openapi.js";
import type { Context } from "../../src/platform/context.js";
import { createLog } from "../../src/platform/log.js";
import { createMetrics } from "../../src/platform/metrics.js";
import { operationsOf } from "../harness/document.js";

/** What only lines of an order have. */
const of_lines = '"initial_quantity"';

async function routesOfApp(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", (route) => void routes.push(route));
  };
  subscribe("fastify.initialization", watch);
  const config = { cluster_id: "eu1", host: "" };
  const app = await buildApp({ config, log: createLog("silent"), metrics: createMetrics() } as Context);
  unsubscribe("fastify.initialization", watch);
  await app.ready();
  return routes;
}

test("every list whose rows show lines of orders says that they are orders", async () => {
  const operations = operationsOf(JSON.parse(await openApiText()));
  const showing = operations
    .filter(({ parameters, answer }) => {
      const is_list = parameters.some(({ name }) => name === "limit");
      return is_list && JSON.stringify(answer ?? {}).includes(of_lines);
    })
    .map(({ id }) => id);
  expect(showing).toContain("list-orders");
  const routes = await routesOfApp();
  const saying = routes
    .filter(({ config }) => config?.rows_are_orders)
    .map(({ schema }) => (schema as { operationId: string }).operationId);
  expect(showing.filter((id) => !saying.includes(id as string))).toEqual([]);
});
