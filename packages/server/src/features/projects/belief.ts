import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Queries } from "../../platform/db/database.js";
import { Unavailable } from "../../platform/db/database-errors.js";
import type { App } from "../../platform/http/app.js";
import { Problem } from "../../platform/http/problems.js";
import type { Belief, Call } from "./project.js";
import { findVersionAndKeys } from "./project.store.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The operation asks, with what it decides on, whether the caller's key is still what it was (`confirmed`), and writes nothing before it
     * knows: a known key need not be asked about at the door.
     */
    confirms_keys?: boolean;
  }
}

/** The project, or the key, is not what the call was let in on. Nobody is told: the request begins anew (`beginAnew`). */
class Disbelieved extends Problem {
  constructor() {
    super(503, { code: 503, key: "service_unavailable", message: "The API key has changed. Try again." });
  }
}

/** A project as it is: its version, and why calls are to be refused whom what they were let in on does not hold for. */
interface Confirmed {
  version: number;
  refused: ReadonlyMap<Call, Problem>;
}

/**
 * Asks for a project's version, and whether what its calls were let in on still holds. An answer is as new as one at the door would be,
 * since the requests were there before it was asked. Sent at once, with whatever else is read of the connection.
 */
export async function confirmed(db: Queries, project_id: string, calls: readonly Call[]): Promise<Confirmed> {
  const believed = calls.filter(isBelieved);
  const { version, key_ids } = await findVersionAndKeys(db, project_id, [
    ...new Set(believed.map(({ belief }) => belief.key_id)),
  ]);
  const known = new Set(key_ids);
  const refused = new Map<Call, Problem>();
  for (const call of believed) {
    // Whatever is changed of a project or its keys gives it another version.
    if (known.has(call.belief.key_id) && version === call.version) call.belief.is_confirmed = true;
    else refused.set(call, new Disbelieved());
  }
  return { version, refused };
}

/** The same where nobody needs the version: nothing is asked where nothing is believed. */
export const disbelieved = async (db: Queries, project_id: string, calls: readonly Call[]) =>
  calls.some(isBelieved) ? (await confirmed(db, project_id, calls)).refused : nobody;

const nobody: Confirmed["refused"] = new Map();

/** Not known to hold so far. */
const isBelieved = (call: Call | null): call is Call & { belief: Belief } => call?.belief?.is_confirmed === false;

/**
 * Has no answer leave on a belief: operations that were refused for what did not hold begin anew, and so does whatever answered
 * before it was confirmed, where it did not hold. Call it before routes are added, and behind all else that wraps them.
 * @param letIn finds out who calls, and asks the database
 */
export function beginAnew(app: App, letIn: (request: FastifyRequest, reply: FastifyReply) => Promise<Call>): void {
  async function askAgain(request: FastifyRequest, reply: FastifyReply): Promise<Call> {
    // Who is refused is nobody.
    request.call = null;
    request.call = await letIn(request, reply);
    return request.call;
  }

  app.addHook("onRoute", (route) => {
    if (!route.config?.confirms_keys) return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const { call } = request;
      const attempt = async () => handler.call(this, request, reply);
      if (!isBelieved(call)) return attempt();
      const [outcome] = await Promise.allSettled([attempt()]);
      if (isBelieved(call) && !isFailure(outcome)) {
        const { version } = await askAgain(request, reply);
        if (version !== call.version || (outcome.status === "rejected" && isDisbelief(outcome.reason)))
          return attempt();
      }
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    } satisfies RouteHandlerMethod;
  });

  // Before its body is found fault with, whoever has no key is told so.
  app.tellInstead(async (request, reply) => {
    if (!isBelieved(request.call)) return null;
    try {
      await askAgain(request, reply);
      return null;
    } catch (error) {
      return error as Error;
    }
  });
}

/** That the database is away, say, is told whoever asks. */
const isFailure = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === "rejected" && outcome.reason instanceof Unavailable;

/** The request begins anew: whoever keeps account of what becomes of it meets it again. */
export const isDisbelief = (refused: unknown): boolean => refused instanceof Disbelieved;
