import type { Context } from "../../platform/context.js";
import { sharedRead } from "../../platform/db/reads.js";
import { hashOfSecret } from "../../platform/secrets.js";
import type { BearerTokens } from "../projects/index.js";
import { findTokens, type OwnedToken } from "./oauth.store.js";
import { scopesFor } from "./scopes.js";

/**
 * How a request's bearer token is understood. Each request asks the database, together with the requests beside it, so
 * that a revoked token stops with the next request on every node.
 */
export function createBearerTokens({ db }: Pick<Context, "db">): BearerTokens {
  const tokenOf = sharedRead<string, OwnedToken>(
    async (hashes) => {
      const tokens = await findTokens(
        db,
        hashes.map((hash) => Buffer.from(hash, "hex")),
      );
      return new Map(tokens.map((token) => [token.token_hash.toString("hex"), token]));
    },
    { at_once: 2, keys_max: 500 },
  );
  return {
    find: (access_token) => tokenOf(hashOfSecret(access_token).toString("hex")),
    scopesFor,
  };
}
