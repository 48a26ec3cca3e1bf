import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { TooLarge } from "../bounds.js";
import { isDiskFull, isRefusedValue, NobodyWaits, Unavailable } from "../db/database-errors.js";
import type { Metrics } from "../metrics.js";
import { serialise } from "./bodies/long-answers.js";
import { body_bytes_max } from "./door.js";
import { Problem, type ProblemBody, problems } from "./problems.js";
import { violationProblem } from "./shapes/validation.js";

/** Statuses whose bodies stand without a request id in the reference service. */
const without_request_id = new Set([401, 402, 405, 406, 415, 429]);

type Refusals = Pick<Metrics, "refused">;

/** What a request is told instead of what it is refused for; null: nothing else. */
type Instead = (request: FastifyRequest, reply: FastifyReply) => Promise<Error | null>;

declare module "fastify" {
  interface FastifyInstance {
    /** Has it found out of each refusal, before it is told, whether another comes before. One alone finds that out. */
    tellInstead(found: Instead): void;
  }
}

/** Makes every failure leave as one of the documented bodies. */
export function answerErrors(app: Pick<FastifyInstance, "setErrorHandler" | "decorate">, metrics: Refusals): void {
  let instead: Instead = async () => null;
  app.decorate("tellInstead", (found: Instead) => {
    instead = found;
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const problem = problemOf(error, request);
    const before = problem.status < 500 ? await instead(request, reply) : null;
    return answer(request, reply, before ? problemOf(before as FastifyError, request) : problem, metrics);
  });
}

/** The body that tells a problem: most name the request. */
export const bodyOfProblem = ({ status, body }: Problem, request_id: string): ProblemBody =>
  body.key !== undefined && !without_request_id.has(status) ? { ...body, request_id } : body;

function answer(request: FastifyRequest, reply: FastifyReply, problem: Problem, metrics: Refusals) {
  const { status, body, headers } = problem;
  metrics.refused(body.key ?? `status_${status}`);
  // Closed while the client still sends, it would hardly ever read this: what comes is passed over, for as long as a request may take.
  if (status === 413) void reply.removeHeader("connection");
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .headers(headers)
    .serializer(serialise)
    .send(bodyOfProblem(problem, request.id));
}

function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TooLarge) return problems.invalidPayload(error.message);
  if (error.validation) return violationProblem(error.validation, error.validationContext);
  const framework = frameworkProblem(error);
  if (framework) return framework;
  const file = fileProblem(error, request);
  if (file) return file;
  // Goes nowhere, and nothing is wrong.
  if (error instanceof NobodyWaits) return problems.unavailable();
  if (error instanceof Unavailable) {
    request.log.error({ request_id: request.id, err: error }, "the database is away");
    return isDiskFull(error) ? problems.busy("The database's disk is full. Try again.") : problems.unavailable();
  }
  request.log.error({ request_id: request.id, url: request.url, err: error }, "a request failed");
  // The last wall: a check of ours let through what the database refuses. A bug, but the request's data caused it.
  if (isRefusedValue(error)) return problems.invalidPayload("Payload contains a value that cannot be stored");
  return problems.internal();
}

function frameworkProblem(error: FastifyError): Problem | undefined {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return problems.tooLarge(body_bytes_max);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return problems.unsupportedMediaType();
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return problems.malformedJson();
    case "FST_ERR_BAD_URL":
    case "FST_ERR_FAILED_DECODING_URL":
      return problems.invalidQuery("Path cannot be decoded");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return problems.invalidQuery("Path is too long");
    default:
      return undefined;
  }
}

/** What the documentation's files are refused with: a path that leads out of their folder is nobody's, and says no more. */
function fileProblem(error: FastifyError & { expose?: boolean }, { method, url }: FastifyRequest): Problem | undefined {
  const { statusCode: status = 500, expose } = error;
  if (!expose || status >= 500) return undefined;
  if (status === 412 || status === 416) return problems.unmetCondition(status);
  return problems.unknownPath(method, url.split("?")[0] ?? "");
}

/** For a path that cannot even be read: Fastify answers it past every hook, so the header is set here. */
export function answerUnreadable(error: FastifyError, request: FastifyRequest, reply: FastifyReply, metrics: Refusals) {
  void reply.header("x-request-id", request.id);
  return answer(request, reply, problemOf(error, request), metrics);
}
