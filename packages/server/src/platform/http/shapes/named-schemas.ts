import type { ValidateFunction } from "ajv";
import type { FastifyInstance } from "fastify";

type Schema = Record<string, unknown>;

/**
 * The schemas that have a name (`named` in schema.ts), each once: routes are given with shapes inside shapes, and from here on
 * refer to them. Without it the document of 111 operations had 57,000 lines, two thirds repeats.
 */
export class NamedShapes {
  private readonly shapes = new Map<string, Schema>();
  private readonly known = new WeakMap<object, unknown>();

  /** The same shape with a reference wherever a named one stands in it. */
  referring(node: unknown): unknown {
    if (typeof node !== "object" || node === null) return node;
    if (!this.known.has(node)) this.known.set(node, this.reference(node) ?? this.inside(node));
    return this.known.get(node);
  }

  /** The shape that a schema refers to, or else the schema itself. */
  behind(schema: object): Schema {
    const name = "$ref" in schema ? String(schema.$ref).slice(0, -1) : "";
    return this.shapes.get(name) ?? (schema as Schema);
  }

  /**
   * References to what a schema refers to, each behind what it refers to itself.
   * @param met names that are left out; those that are found enter it
   */
  within(schema: object, met = new Set<string>()): { $ref: string }[] {
    if ("$ref" in schema && typeof schema.$ref === "string") {
      const shape = this.shapes.get(schema.$ref.slice(0, -1));
      if (!shape || met.has(schema.$ref)) return [];
      met.add(schema.$ref);
      return [...this.within(shape, met), { $ref: schema.$ref }];
    }
    const parts = Object.values(schema).filter((part): part is object => typeof part === "object" && part !== null);
    return parts.flatMap((part) => this.within(part, met));
  }

  /** In the order in which they were met; those after the first so many. */
  after(count: number): Schema[] {
    return this.shapes.size === count ? [] : [...this.shapes.values()].slice(count);
  }

  get size(): number {
    return this.shapes.size;
  }

  private inside(node: object): unknown {
    if (Array.isArray(node)) return node.map((one) => this.referring(one));
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.referring(value)]));
  }

  private reference(node: object): Schema | undefined {
    const name = "$id" in node && !Array.isArray(node) ? node.$id : undefined;
    if (typeof name !== "string") return undefined;
    const shape = this.inside(node) as Schema;
    const first = this.shapes.get(name);
    if (!first) this.shapes.set(name, shape);
    else if (JSON.stringify(first) !== JSON.stringify(shape))
      throw new Error(`two shapes are called ${name}: name the second one otherwise`);
    return { $ref: `${name}#` };
  }
}

/** Compiles a shape that refers to named ones; equal ones once. */
export type Compile = (shape: object) => ValidateFunction;

/** How an application's requests are checked and, in tests, its answers. */
export interface Shapes {
  named: NamedShapes;
  bodies: Compile;
  /** Of queries and paths, which arrive as text. */
  queries: Compile;
  answers: Compile;
}

/**
 * Has routes refer to named shapes.
 * @param is_described they are the application's too, for its document; whoever checks by them asks `named`. Fastify would look
 *   through all of them with every route: a third of what adding the routes takes
 */
export function referToNamed(
  app: Pick<FastifyInstance, "addHook" | "addSchema">,
  named: NamedShapes,
  is_described: boolean,
): void {
  let described = 0;
  app.addHook("onRoute", (route) => {
    if (route.schema) route.schema = named.referring(route.schema) as typeof route.schema;
    if (!is_described) return;
    for (const shape of named.after(described)) app.addSchema(shape);
    described = named.size;
  });
}
