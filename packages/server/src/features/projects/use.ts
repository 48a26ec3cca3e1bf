import type { FastifyReply } from "fastify";
import type { Call } from "./project.js";

/**
 * Counts what a project's callers do, and throws the refusal, 429, of a call too many; the reply says how many are left. Which
 * limits there are, `usage/` knows, which knows projects and not the reverse.
 */
export type CountUse = (
  call: Pick<Call, "project" | "instant" | "caller">,
  route: string,
  reply: Pick<FastifyReply, "headers">,
) => void;
