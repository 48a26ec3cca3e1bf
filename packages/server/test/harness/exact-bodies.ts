import { expect } from "vitest";

/** Bodies of refusals, to the letter (platform.md §1, §11.2). */
export const request_id = expect.stringMatching(/^v-[0-9a-f]{18}$/);
export const unauthorized = { code: 401, key: "unauthorized", message: "Unauthorized" };
export const malformed = { statusCode: 400, error: "Bad Request", message: "Invalid request payload JSON format" };

/** The largest body, inclusive. */
export const bytes_max = 10_485_760;
export const too_large = {
  statusCode: 413,
  error: "Request Entity Too Large",
  message: `Payload content length greater than maximum allowed: ${bytes_max}`,
};

export const invalidPayload = (details: unknown) => ({
  code: 400,
  key: "invalid_payload",
  message: "Invalid payload",
  details,
  request_id,
});
export const invalidQuery = (details: unknown) => ({
  code: 400,
  key: "invalid_query_params",
  message: "Invalid query params",
  details,
  request_id,
});
export const notFound = (resource_type: string, resource_id: string) => ({
  code: 404,
  key: "not_found",
  message: "Resource not found",
  details: `Cannot find ${resource_type} with id ${resource_id}`,
  request_id,
  resource_id,
  resource_type,
});

/** A body of so many bytes that is valid JSON and that `POST /v1/customers` refuses, so that nothing is stored. */
export function bodyOfBytes(bytes: number): Buffer {
  const start = '{"name":7,"pad":"';
  return Buffer.from(`${start}${"x".repeat(bytes - start.length - 2)}"}`);
}
