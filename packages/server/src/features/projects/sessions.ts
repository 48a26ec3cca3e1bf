import type { FastifyRequest } from "fastify";
import type { Instant } from "../../platform/clock.js";
import type { User } from "./user.js";

/** Somebody who is signed in. */
export interface Person {
  user: User;
  /** Names the session, as it is stored. */
  session_hash: Buffer;
  session_created_at: Instant;
}

/** What authentication asks about sessions. `people/` stands behind it, which knows projects and not the reverse. */
export interface Sessions {
  /**
   * Whose session the request shows; undefined: none, or one that has ended. Never older than the question. One that is shown by
   * somebody else's page is refused.
   */
  find(request: FastifyRequest): Promise<Person | undefined>;
}
