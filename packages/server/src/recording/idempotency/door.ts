import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from "fastify";
import Type from "typebox";
import type { Context } from "../../platform/context.js";
import { bodyOfProblem } from "../../platform/http/answer-errors.js";
import type { App } from "../../platform/http/app.js";
import { serialise } from "../../platform/http/bodies/long-answers.js";
import { Problem } from "../../platform/http/problems.js";
import { keepAnswers, lookUp, settle } from "./keep.js";
import { isLastWord, type Keyed, requestHash, Settled } from "./keyed.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A POST that only asks: sent again it is asked again, whatever its `Idempotency-Key` says. */
    changes_nothing?: true;
    /** Its answer shows a secret, which is kept sealed. */
    secret_answer?: true;
  }
  interface FastifyRequest {
    /** Set for requests that named themselves by an `Idempotency-Key`. */
    keyed: Keyed | null;
  }
}

/** Who sends a request, and what its change will be told to be caused by. */
export interface KeyOwner extends Pick<Keyed, "project_id" | "side" | "instant"> {
  cause: { keyed?: Keyed | null } | null;
}

const header = "idempotency-key";

/** Whether the request has a name of its own, so that its answer may be kept. */
export const isKeyed = ({ headers }: FastifyRequest): boolean => headers[header] !== undefined;

/** Checked as it is documented; in small letters, as Node.js gives headers. */
const Headers = Type.Object({
  [header]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[ -~]*$",
      description:
        "A name of your own for this request, e.g. a UUID. Sent again within 24 hours it is not done again: the first " +
        "answer comes with `Idempotent-Replayed: true`, 409 while the first is under way, 422 for another request.",
    }),
  ),
});

/**
 * Lets every POST that changes something be sent again (architecture.md §7): the operation says so in the document, its
 * answer is kept by the change that it makes, and a refusal that changed nothing is kept here. Call it where it is known who
 * asks, before routes are added.
 */
export function honourKeys(app: App, context: Context, ownerOf: (request: FastifyRequest) => KeyOwner): void {
  app.decorateRequest("keyed", null);
  app.addHook("onRoute", (route) => {
    if (!isHonouredBy(route)) return;
    route.schema = { ...route.schema, headers: Headers };
    const { handler } = route;
    route.handler = function (request, reply) {
      if (!isKeyed(request)) return handler.call(this, request, reply);
      const keyed = keyedBy(request, reply, ownerOf(request));
      return answerOnce(context, keyed, reply, async () => handler.call(this, request, reply));
    } satisfies RouteHandlerMethod;
  });
}

const isHonouredBy = ({ url, method, config, schema }: RouteOptions & { config?: FastifyContextConfig }): boolean =>
  [method].flat().includes("POST") && schema !== undefined && !config?.changes_nothing && !isOfOwnPages(url);

/** Our own pages name no requests: what they show of an answer that was lost, they read anew. */
const isOfOwnPages = (url: string) => url.startsWith("/dashboard/");

function keyedBy(request: FastifyRequest, reply: FastifyReply, { cause, ...owner }: KeyOwner): Keyed {
  const keyed: Keyed = {
    ...owner,
    key: String(request.headers[header]),
    request_hash: requestHash(request.method, request.url, request.body),
    request_id: request.id,
    has_secret: request.routeOptions.config.secret_answer === true,
    statusOf: () => reply.statusCode,
    kept: null,
  };
  request.keyed = keyed;
  if (cause) cause.keyed = keyed;
  return keyed;
}

async function answerOnce(context: Context, keyed: Keyed, reply: FastifyReply, work: () => Promise<unknown>) {
  const db = keyed.project_id === "" ? context.db : context.db.of(keyed.project_id);
  try {
    // What the operation looks at before its change might refuse it for what the first request has done.
    const before = await lookUp(db, context.seal, keyed);
    if (before) throw before;
    const answer = await work();
    if (keyed.kept !== null && keyed.kept !== serialise(answer))
      throw new Error("an operation answers other than what its change kept for its Idempotency-Key");
    return answer;
  } catch (error) {
    const told = error instanceof Problem && keyed.kept === null ? await keepRefusal(context, keyed, error) : error;
    if (!(told instanceof Settled)) throw told;
    if (told.told instanceof Problem) throw told.told;
    const { status, body } = told.told;
    void reply.code(status).header("idempotent-replayed", "true");
    return body ? reply.type("application/json; charset=utf-8").send(body) : reply.send(null);
  }
}

/** Keeps a refusal that nothing was written with; should another request with the key have its answer by now, it is that. */
async function keepRefusal({ db, seal }: Context, keyed: Keyed, problem: Problem): Promise<Problem | Settled> {
  if (!isLastWord(problem)) return problem;
  return db.transaction(async (tx) => {
    const settled = (await settle(tx, seal, [keyed])).get(keyed);
    if (settled) return settled;
    const body = JSON.stringify(bodyOfProblem(problem, keyed.request_id));
    await keepAnswers(tx, seal, [{ keyed, status: problem.status, body }]);
    return problem;
  }, keyed.project_id || undefined);
}
