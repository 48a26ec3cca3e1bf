import { metadata_of } from "../platform/http/schema.js";
import type { Described, DescribedOperation } from "./described.js";
import { error_sentences } from "./error-sentences.js";
import { errorsOf } from "./errors.js";
import { examples } from "./examples.js";
import { summaries } from "./summaries.js";
import { summaries_of_pages } from "./summaries-of-pages.js";

/** Every sentence about an operation, by its id. */
export const all_summaries = { ...summaries, ...summaries_of_pages };

/**
 * Adds to each operation its sentence, the errors that it is known to answer with and an example that works. They stand in tables instead of
 * beside the routes: a sentence is then read with its neighbours, and a test walks all of them. What an error says stands once, by its key.
 */
export function describeOperations<Document extends object>(document: Document): Document {
  const { paths = {}, components = {} } = document as Described;
  const takesMetadata = metadataIn(components.schemas ?? {});
  const of = (operation: DescribedOperation) => described(operation, takesMetadata(operation.requestBody));
  return { ...document, paths: mapped(paths, (methods) => mapped(methods, of)), "x-error-sentences": error_sentences };
}

/** Tells of a part of the document whether metadata stands in it, that a caller sends. */
function metadataIn(schemas: Record<string, unknown>) {
  const known = new Map<string, boolean>();
  const has = (part: unknown): boolean => {
    if (typeof part !== "object" || part === null) return false;
    if (metadata_of in part) return true;
    const name = "$ref" in part ? String(part.$ref).split("/").at(-1) : undefined;
    return name === undefined ? Object.values(part).some(has) : inShape(name);
  };
  const inShape = (name: string): boolean => {
    const told = known.get(name);
    if (told !== undefined) return told;
    // Until it is known, for shapes that hold themselves.
    known.set(name, false);
    known.set(name, has(schemas[name]));
    return known.get(name) ?? false;
  };
  return has;
}

function described(operation: DescribedOperation, takes_metadata: boolean): DescribedOperation {
  const { operationId: id = "", summary = all_summaries[id], ...said } = operation;
  const errors = errorsOf(operation, takes_metadata);
  const example = examples.find((one) => one.id === id);
  return {
    operationId: id,
    ...(summary === undefined ? {} : { summary }),
    ...said,
    ...(example ? exampleIn(said, example) : {}),
    ...(errors.length === 0 ? {} : { "x-errors": errors }),
  };
}

function exampleIn(
  { parameters = [], requestBody }: DescribedOperation,
  { path = {}, body }: (typeof examples)[number],
) {
  const named = parameters.map((one) => (path[one.name] === undefined ? one : { ...one, example: path[one.name] }));
  const content = requestBody && mapped(requestBody.content, (one) => ({ ...one, example: body }));
  return {
    ...(parameters.length === 0 ? {} : { parameters: named }),
    ...(content && body !== undefined ? { requestBody: { ...requestBody, content } } : {}),
  };
}

const mapped = <Value>(record: Record<string, Value>, change: (value: Value) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
