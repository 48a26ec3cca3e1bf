import type { ValidateFunction } from "ajv";
import type { FastifyInstance } from "fastify";
import { ProblemSchema } from "./schema.js";
import { createAjv } from "./validation.js";

/**
 * For tests: an answer with an undeclared status, a missing field, a wrong type or a field that its schema does not
 * know fails as a 500, so that the schemas stay the truth about the API (style.md §4).
 */
export function checkResponses(app: Pick<FastifyInstance, "addHook">): void {
  const ajv = createAjv();
  ajv.addSchema(ProblemSchema);
  const compiled = new Map<unknown, ValidateFunction>();
  app.addHook("preSerialization", async (request, reply, payload) => {
    const declared = request.routeOptions.schema?.response as Record<string, object> | undefined;
    if (!declared || reply.statusCode === 500) return payload;
    const schema = declared[reply.statusCode] ?? declared[`${String(reply.statusCode)[0]}xx`];
    const operation = `${request.method} ${request.routeOptions.url} ${reply.statusCode}`;
    if (!schema) throw new Error(`${operation}: the status is not declared`);
    const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object);
    compiled.set(schema, validate);
    if (!validate(JSON.parse(JSON.stringify(payload)))) {
      const [fault] = validate.errors ?? [];
      throw new Error(`${operation}: ${fault?.instancePath} ${fault?.message} ${JSON.stringify(fault?.params)}`);
    }
    return payload;
  });
}

/** The schema with unknown fields refused in every object that lists its properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const lists_properties = "properties" in schema && !("additionalProperties" in schema) && !("allOf" in schema);
  return lists_properties ? { ...copy, additionalProperties: false } : copy;
}
