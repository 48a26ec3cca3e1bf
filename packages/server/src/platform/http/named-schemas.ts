import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";

type Schema = Record<string, unknown>;

/**
 * Has every schema with a name (`named` in schema.ts) compiled and documented once: routes are given with shapes inside
 * shapes, and from here on refer to them. Without it the document of 111 operations had 57,000 lines, two thirds repeats.
 */
export function referToNamed(app: Pick<FastifyInstance, "addHook" | "addSchema">): void {
  const shapes = new Map<string, Schema>();
  const known = new WeakMap<object, unknown>();

  function referring(node: unknown): unknown {
    if (typeof node !== "object" || node === null) return node;
    if (!known.has(node)) known.set(node, reference(node) ?? inside(node));
    return known.get(node);
  }

  const inside = (node: object) =>
    Array.isArray(node)
      ? node.map(referring)
      : Object.fromEntries(Object.entries(node).map(([key, value]) => [key, referring(value)]));

  function reference(node: object): Schema | undefined {
    const name = "$id" in node && !Array.isArray(node) ? node.$id : undefined;
    if (typeof name !== "string") return undefined;
    const shape = inside(node) as Schema;
    const first = shapes.get(name);
    if (!first) {
      shapes.set(name, shape);
      app.addSchema(shape);
    } else if (JSON.stringify(first) !== JSON.stringify(shape)) {
      throw new Error(`two shapes are called ${name}: name the second one otherwise`);
    }
    return { $ref: `${name}#` };
  }

  app.addHook("onRoute", (route) => {
    if (route.schema) route.schema = referring(route.schema) as typeof route.schema;
  });
}

/** The named schemas that the routes refer to, as `addSchema` takes them. */
export const sharedSchemas = (app: Pick<FastifyInstance, "getSchemas">) => Object.values(app.getSchemas()) as TSchema[];
