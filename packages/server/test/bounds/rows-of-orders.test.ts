import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";
import { expect, test } from "vitest";
import { openApiText } from "../../src/openapi.js";
import { operationsOf } from "../harness/document.js";

/** What only lines of an order have. */
const of_lines = '"initial_quantity"';

/** The application's description, and the routes that it was made of. */
async function described() {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", (route) => void routes.push(route));
  };
  subscribe("fastify.initialization", watch);
  const text = await openApiText();
  unsubscribe("fastify.initialization", watch);
  return { operations: operationsOf(JSON.parse(text)), routes };
}

test("every list whose rows show lines of orders says that they are orders", async () => {
  const { operations, routes } = await described();
  const showing = operations
    .filter(({ parameters, answer }) => {
      const is_list = parameters.some(({ name }) => name === "limit");
      return is_list && JSON.stringify(answer ?? {}).includes(of_lines);
    })
    .map(({ id }) => id);
  expect(showing).toContain("list-orders");
  const saying = routes
    .filter(({ config }) => config?.rows_are_orders)
    .map(({ schema }) => (schema as { operationId: string }).operationId);
  expect(showing.filter((id) => !saying.includes(id as string))).toEqual([]);
});
