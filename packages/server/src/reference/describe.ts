import type { Described, DescribedOperation } from "./described.js";
import { errorsOf } from "./errors.js";
import { examples } from "./examples.js";
import { summaries } from "./summaries.js";
import { summaries_of_pages } from "./summaries-of-pages.js";

/** Every sentence about an operation, by its id. */
export const all_summaries = { ...summaries, ...summaries_of_pages };

/**
 * Adds to each operation its sentence, the errors that it is known to answer with and an example that works. They stand in tables instead of
 * beside the routes: a sentence is then read with its neighbours, and a test walks all of them.
 */
export function describeOperations<Document extends object>(document: Document): Document {
  const { paths = {} } = document as Described;
  return { ...document, paths: mapped(paths, (methods) => mapped(methods, described)) };
}

function described(operation: DescribedOperation): DescribedOperation {
  const { operationId: id = "", summary = all_summaries[id], ...said } = operation;
  const errors = errorsOf(operation);
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
