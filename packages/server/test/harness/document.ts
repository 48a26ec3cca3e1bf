import { form_type, formOf } from "../../src/features/imports/import.fixtures.js";
import type { App } from "../../src/platform/http/app.js";

/** The part of JSON Schema that our OpenAPI document uses. */
export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  schema: JsonSchema;
}

/** One operation of the API as its own document describes it. */
export interface Operation {
  id: string | undefined;
  method: string;
  /** As in the document: `/v1/customers/{customerId}`. */
  path: string;
  tags: string[];
  parameters: Parameter[];
  /** Undefined: the operation takes no body. */
  body: JsonSchema | undefined;
  /** The media type of its body. */
  body_type: string;
  /** Declared statuses, such as `200` and `4XX`. */
  statuses: string[];
  /** What it answers when all is well; undefined: nothing that is JSON. */
  answer: JsonSchema | undefined;
}

interface RawOperation {
  operationId?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema } | undefined> };
  responses?: Record<string, { content?: Record<string, { schema: JsonSchema } | undefined> }>;
}

/** Every operation of an OpenAPI document, so that a new one is covered the day it appears. */
export function operationsOf(document: unknown): Operation[] {
  const { paths, components } = document as {
    paths: Record<string, Record<string, RawOperation>>;
    components: { schemas: Record<string, JsonSchema> };
  };
  const whole = (schema: JsonSchema) => inlined(schema, components.schemas);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [[body_type, content] = ["application/json", undefined]] = Object.entries(
        operation.requestBody?.content ?? {},
      );
      const answered = operation.responses?.["200"]?.content?.["application/json"];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        tags: operation.tags ?? [],
        parameters: (operation.parameters ?? []).map((one) => ({ ...one, schema: whole(one.schema) })),
        body: content && whole(content.schema),
        body_type: body_type === "multipart/form-data" ? form_type : body_type,
        statuses: Object.keys(operation.responses ?? {}),
        answer: answered && whole(answered.schema),
      };
    }),
  );
}

/** The schema with what it refers to in its place, and what holds all together as one object. */
function inlined(schema: JsonSchema, shapes: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const whole = (part: JsonSchema) => inlined(part, shapes);
  if (schema.$ref) return whole(shapes[schema.$ref.replace("#/components/schemas/", "")] ?? {});
  if (schema.allOf) {
    const parts = schema.allOf.map(whole);
    const required = parts.flatMap((part) => part.required ?? []);
    return { type: "object", properties: Object.assign({}, ...parts.map((part) => part.properties)), required };
  }
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapped(properties, whole) }),
    ...(items && { items: whole(items) }),
    ...(anyOf && { anyOf: anyOf.map(whole) }),
    ...(oneOf && { oneOf: oneOf.map(whole) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: whole(additionalProperties) }),
  };
}

const mapped = <Value>(record: Record<string, Value>, change: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** The document of a running service. */
export async function readOperations(url: string): Promise<Operation[]> {
  return operationsOf(await (await fetch(`${url}/openapi.json`)).json());
}

export const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** A body as its media type wants it. */
export function bodyText(body: unknown, body_type: string): string {
  if (body_type === "application/json") return JSON.stringify(body) ?? "null";
  const is_object = typeof body === "object" && body !== null;
  const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const fields = Object.entries(is_object ? body : {}).map(([name, value]) => [name, textOf(value).toWellFormed()]);
  if (body_type === form_type) {
    const { file = null, ...others } = Object.fromEntries(fields);
    return formOf(file, others).toString();
  }
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}

/** Fills `{name}` in a path; what is given stands there percent-encoded once. */
export function pathWith(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? "anything"));
}

/** Every route that the application has, but for the one that stands for all questions OPTIONS. */
export function routesOf(app: Pick<App, "printRoutes">): { method: string; path: string }[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const found = /^([\s│├└─]*)(\S+) \(([^)]+)\)$/.exec(line);
      if (!found) return [];
      const [, indent = "", part = "", methods = ""] = found;
      const depth = indent.length / 4 - 1;
      above.length = depth;
      above.push(part);
      // Where a slash at the end does not count the printer swallows the one before a wildcard too.
      const path = above
        .join("")
        .replace(/([^/])\*$/, "$1/*")
        .replace(/:([A-Za-z_]+)/g, "{$1}");
      return methods
        .split(", ")
        .filter((method) => method !== "OPTIONS")
        .map((method) => ({ method, path }));
    });
}
