import type { Instant } from "../../platform/clock.js";

/** Whose a bearer token is, and how far it reaches. */
export interface BearerToken {
  project_id: string;
  /** The version that the project's catalogue has now. */
  version: number;
  /** The application key that minted it. */
  api_key_id: string;
  scopes: readonly string[];
  expires_at: Instant;
}

/** What authentication asks about bearer tokens. `oauth/` stands behind it, which knows projects and not the reverse. */
export interface BearerTokens {
  /** Expired ones too, as long as they are stored. Never older than the question. */
  find(access_token: string): Promise<BearerToken | undefined>;
  /** The scopes of which any one opens the operation; none where tokens do not count. */
  scopesFor(path: string): readonly string[];
}
