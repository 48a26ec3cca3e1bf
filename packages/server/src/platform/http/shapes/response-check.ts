import type { FastifyInstance } from "fastify";
import type { Shapes } from "./named-schemas.js";

/**
 * For tests: an answer with an undeclared status, a missing field, a wrong type, a field that its schema does not
 * know or a date of another form fails as a 500, so that the schemas stay the truth about the API (style.md §4).
 */
export function checkResponses(app: Pick<FastifyInstance, "addHook">, { answers }: Pick<Shapes, "answers">): void {
  app.addHook("preHandler", async ({ body, query, params }) => noteDates([body, query, params]));
  app.addHook("preSerialization", async (request, reply, payload) => {
    const declared = request.routeOptions.schema?.response as Record<string, object> | undefined;
    if (!declared || reply.statusCode === 500) return payload;
    const schema = declared[reply.statusCode] ?? declared[`${String(reply.statusCode)[0]}xx`];
    const operation = `${request.method} ${request.routeOptions.url} ${reply.statusCode}`;
    if (!schema) throw new Error(`${operation}: the status is not declared`);
    const validate = answers(schema);
    const answer: unknown = JSON.parse(JSON.stringify(payload));
    if (!validate(answer)) {
      const [fault] = validate.errors ?? [];
      throw new Error(`${operation}: ${fault?.instancePath} ${fault?.message} ${JSON.stringify(fault?.params)}`);
    }
    const foreign = answersForAll(request.url) ? undefined : foreignDate(answer);
    if (foreign) throw new Error(`${operation}: ${foreign} is no ISO 8601 in UTC with milliseconds`);
    return payload;
  });
}

const looks_like_instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const as_ours = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$";
const is_ours = new RegExp(as_ours);
/** A cursor may say more behind the milliseconds; it is read by us alone. */
const is_cursor = /\/more_starting_after \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;
/** Date-times that callers wrote somewhere, e.g. as a name: they are given back to the letter. */
const callers_own = new Set<string>();

/**
 * Whether an answer shows what the callers of every project wrote: in a run of several processes some of them wrote to
 * another one, which noted it.
 */
export const answersForAll = (path: string): boolean => /^\/management\/v1\/projects\/?(\?|$)/.test(path);

/** Notes the date-times of a request, so that {@link foreignDate} knows them again. */
export function noteDates(sent: unknown): void {
  if (typeof sent === "string" && looks_like_instant.test(sent)) callers_own.add(sent);
  if (typeof sent === "object" && sent !== null) Object.values(sent).forEach(noteDates);
}

/**
 * The place of a date-time that neither looks as every one that the service makes (platform.md §11.5) nor was sent, with
 * the date; undefined where there is none. Rows that PostgreSQL wrote as JSON betray themselves by it.
 */
export function foreignDate(answer: unknown, place = ""): string | undefined {
  if (typeof answer === "string") {
    const is_foreign = looks_like_instant.test(answer) && !is_ours.test(answer) && !callers_own.has(answer);
    const found = `${place} ${answer}`;
    return is_foreign && !is_cursor.test(found) ? found : undefined;
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  for (const [key, value] of Object.entries(answer)) {
    const found = foreignDate(value, `${place}/${key}`);
    if (found) return found;
  }
  return undefined;
}

/** The schema with unknown fields refused in every object that lists its properties, and dates in our own form only. */
export function closed<Schema>(schema: Schema): Schema {
  return closedAny(schema) as Schema;
}

function closedAny(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedAny);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closedAny(value)]));
  if ("format" in schema && schema.format === "date-time") return { ...copy, pattern: as_ours };
  const lists_properties = "properties" in schema && !("additionalProperties" in schema) && !("allOf" in schema);
  return lists_properties ? { ...copy, additionalProperties: false } : copy;
}
