import { Expected } from "../expected.js";

/** The body of a refused request, in one of the three shapes of platform.md §11.1. */
export interface ProblemBody {
  code?: number;
  key?: string;
  message: string;
  details?: string;
  resource_id?: string;
  resource_type?: string;
  /** The text that an editor gave for a violated rule. */
  error?: string | { message: string };
  /** Payload errors carry this instead of `code`. */
  statusCode?: number;
  [extra: string]: unknown;
}

/** A refused request. Thrown where the caller cannot go on; the error handler answers it as it is. */
export class Problem extends Expected {
  readonly status: number;
  readonly body: ProblemBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: ProblemBody, headers: Readonly<Record<string, string>> = {}) {
    super(body.details ?? body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }

  /** The same of a part of what was sent, which is told with its place; what is not the caller's mistake has none. */
  within(part: string): Problem {
    const { status, body, headers } = this;
    if (status >= 500) return this;
    const [, field = ""] = /^Property (\.\S+)/.exec(body.details ?? "") ?? [];
    const path = part + field;
    const details = field === "" ? body.details : body.details?.replace(field, () => `.${path}`);
    return new Problem(status, { ...body, ...(details === undefined ? {} : { details }), path }, headers);
  }
}

const resourceProblem = (
  code: number,
  key: string,
  message: string,
  details?: string,
  resource: Partial<ProblemBody> = {},
) => new Problem(code, { code, key, message, ...(details === undefined ? {} : { details }), ...resource });

const payloadProblem = (statusCode: number, error: string, message: string) =>
  new Problem(statusCode, { statusCode, error, message });

/**
 * Every refusal that belongs to no single resource, with its exact status, key and texts
 * (platform.md §1, §11.2). What our own subject refuses: terms/refusals.ts.
 */
export const problems = {
  /** @param path where it is, for the details that are texts of the reference and do not say so */
  invalidPayload: (details: string, path?: string) =>
    resourceProblem(400, "invalid_payload", "Invalid payload", details, path === undefined ? {} : { path }),
  invalidQuery: (details: string) => resourceProblem(400, "invalid_query_params", "Invalid query params", details),
  malformedJson: () => payloadProblem(400, "Bad Request", "Invalid request payload JSON format"),
  unauthorized: () => new Problem(401, { code: 401, key: "unauthorized", message: "Unauthorized" }),
  missingPermission: () =>
    resourceProblem(
      403,
      "missing_required_permission",
      "Missing permission",
      "User does not have a required permission to perform this operation.",
    ),
  integrationKeyRequired: () =>
    new Problem(403, { code: 403, key: "integration_api_key_required", message: "Forbidden" }),
  forbidden: (details: string) => resourceProblem(403, "forbidden", "Forbidden", details),
  /** @param field what the text looked for, where it is not an id */
  notFound: (resource_type: string, resource_id: string, field = "id") =>
    resourceProblem(
      404,
      "not_found",
      "Resource not found",
      `Cannot find ${resource_type} with ${field} ${resource_id}`,
      {
        resource_id,
        resource_type,
      },
    ),
  unknownPath: (method: string, path: string) =>
    new Problem(404, {
      code: 404,
      key: "not_found",
      message: "Resource not found",
      details: `Cannot find ${method} ${path}`,
    }),
  methodNotAllowed: (method: string, allowed: readonly string[]) =>
    new Problem(
      405,
      {
        code: 405,
        message: "HTTP Method Not Allowed",
        details: `${method} is not supported by this endpoint. Did you mean ${alternatives(allowed)}?`,
      },
      { allow: allowed.join(", ") },
    ),
  notAcceptable: () => new Problem(406, { code: 406, key: "not_acceptable", message: "Not Acceptable" }),
  /** Deleted it would leave others pointing nowhere (rules.md §17.4). The text of the reference says "ruless". */
  inUse: (resource_type: string, resource_id: string, by: { type: string; ids: readonly string[] }) =>
    resourceProblem(
      400,
      "resource_in_use",
      "Resource in use",
      `Resource ${resource_type} with id ${resource_id} is in use by ${by.type}s with ids [${by.ids.join(", ")}]`,
      { resource_id, resource_type, related_object_ids: by.ids, related_object_type: by.type },
    ),
  /** @param field the property that must be unique, as the texts of the reference name it */
  duplicate: (resource_type: string, resource_id: string, field = "id", shown_type = resource_type) =>
    resourceProblem(
      409,
      "duplicate_found",
      "Duplicated resource found",
      `Duplicated ${shown_type} exists with ${field} ${resource_id}`,
      { resource_id, resource_type },
    ),
  /** An `Idempotency-Key` that cannot have the answer it asks for. */
  keyConflict: (code: 409 | 422, key: string, details: string, headers: Readonly<Record<string, string>> = {}) =>
    new Problem(code, { code, key, message: "Idempotency key conflict", details }, headers),
  tooLarge: (bytes_max: number) =>
    payloadProblem(
      413,
      "Request Entity Too Large",
      `Payload content length greater than maximum allowed: ${bytes_max}`,
    ),
  /** Of a file: a condition or a range of bytes that it does not have. */
  unmetCondition: (status: 412 | 416) =>
    status === 412
      ? payloadProblem(412, "Precondition Failed", "The file is not the one of the condition")
      : payloadProblem(416, "Range Not Satisfiable", "The file has no such bytes"),
  unsupportedMediaType: () =>
    new Problem(415, { code: 415, key: "unsupported_media_type", message: "Unsupported Media Type" }),
  /** More calls than one address, or one project, may make (platform.md §11.1, §13). */
  tooManyCalls: (retry_after_s: number, limit_type = "api_calls") =>
    new Problem(
      429,
      { code: 429, message: "Too many requests hit the API too quickly." },
      { "retry-after": String(retry_after_s), "x-rate-limit-type": limit_type },
    ),
  /** Somebody tries too many passwords. */
  tooManyAttempts: (retry_after_s: number) =>
    new Problem(
      429,
      {
        code: 429,
        key: "too_many_attempts",
        message: "Too many attempts",
        details: `Too many attempts to sign in. Try again in ${Math.ceil(retry_after_s / 60)} minutes.`,
      },
      { "retry-after": String(retry_after_s) },
    ),
  /** It cannot be done now, and the reason is not that the database is away; nothing was done. */
  busy: (details: string) =>
    new Problem(
      503,
      { code: 503, key: "service_unavailable", message: "Service Unavailable", details },
      { "retry-after": "1" },
    ),
  internal: () => resourceProblem(500, "internal_error", "Internal Server Error"),
  unavailable: () =>
    new Problem(
      503,
      {
        code: 503,
        key: "service_unavailable",
        message: "Service Unavailable",
        details: "The database is not available. Try again.",
      },
      { "retry-after": "1" },
    ),
};

function alternatives(methods: readonly string[]): string {
  return methods.length < 2 ? (methods[0] ?? "") : `${methods.slice(0, -1).join(", ")} or ${methods.at(-1)}`;
}
