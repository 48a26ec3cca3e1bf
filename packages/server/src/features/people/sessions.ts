import type { Context } from "../../platform/context.js";
import { assertOwnPage, type TokenCookie, tokenCookie } from "../../platform/http/browsers/own-pages.js";
import { hashOfSecret } from "../../platform/secrets.js";
import { findUser, type Sessions } from "../projects/index.js";
import { seen_ms } from "./sign-in.js";
import { findSession, touchSession } from "./sign-in.store.js";

/** Where this installation's pages keep who is signed in. */
export const cookieOf = ({ seal, config }: Pick<Context, "seal" | "config">): TokenCookie =>
  tokenCookie(seal, config.public_url);

/** How a request's cookie is understood. Each asks the database, so that whoever is signed out is so on every node with the next one. */
export function createSessions(context: Context): Sessions {
  return {
    async find(request) {
      const token = cookieOf(context).read(request);
      if (token === null) return undefined;
      const { db, config, clock } = context;
      const instant = clock.now();
      const session_hash = hashOfSecret(token);
      const session = await findSession(db, session_hash, instant);
      const user = session && (await findUser(db, { id: session.user_id }));
      if (!session || !user) return undefined;
      assertOwnPage(request, config.public_url);
      if (instant - session.seen_at >= seen_ms) await touchSession(db, session_hash, instant);
      return { user, session_hash, session_created_at: session.created_at };
    },
  };
}
