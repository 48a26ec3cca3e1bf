import type { DescribedOperation, ErrorTold } from "./described.js";
import { refused_by } from "./refused-by.js";

/** What whoever names a request by a key is told where the key has another answer. */
const of_a_named_request: readonly ErrorTold[] = [
  { status: 409, key: "idempotency_key_in_use" },
  { status: 422, key: "idempotency_key_reused" },
  { status: 422, key: "idempotent_answer_too_large" },
];

/**
 * The errors of an operation by key: those of its own first, then what its parameters, body, metadata and credentials bring.
 * @param takes_metadata somewhere in its body
 */
export function errorsOf(
  { operationId = "", parameters = [], requestBody, security }: DescribedOperation,
  takes_metadata: boolean,
): ErrorTold[] {
  const has = (place: string) => parameters.some((one) => one.in === place);
  const is_closed = (security ?? []).length > 0;
  const is_named = parameters.some((one) => one.name.toLowerCase() === "idempotency-key");
  const told = [
    ...refused_by.flatMap(({ status, key, by }) => (by.has(operationId) ? [{ status, key }] : [])),
    ...(takes_metadata ? [{ status: 400, key: "metadata_validation_failed" }] : []),
    ...(requestBody ? [{ status: 400, key: "invalid_payload" }] : []),
    ...(has("query") || has("path") ? [{ status: 400, key: "invalid_query_params" }] : []),
    ...(is_closed ? [{ status: 401, key: "unauthorized" }] : []),
    ...(is_closed ? [{ status: 403, key: "missing_required_permission" }] : []),
    ...(is_closed ? [{ status: 403, key: "forbidden" }] : []),
    ...(has("path") ? [{ status: 404, key: "not_found" }] : []),
    ...(is_named ? of_a_named_request : []),
  ];
  return [...new Map(told.map((one) => [`${one.status} ${one.key}`, one])).values()];
}

/** Every key that stands in the table, for the test that looks for them in the catalogue of refusals. */
export const own_keys = [...new Set(refused_by.map(({ key }) => key))];
