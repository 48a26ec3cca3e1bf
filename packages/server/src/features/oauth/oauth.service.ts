import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import { hashOfSecret } from "../../platform/secrets.js";
import { change } from "../../recording/index.js";
import { apiKeyIdOf, refusals } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import type { IntrospectedTokenBody, NamedToken, TokenBody, TokenRequest } from "./oauth.schemas.js";
import { deleteToken, findWorkingToken, insertToken } from "./oauth.store.js";
import { scopes } from "./scopes.js";
import { expiryOf, inactiveTokenBody, newAccessToken, toTokenBody } from "./token.js";

/** `POST /v1/oauth/token`: a token with the rights of the calling key, as far as its scopes go (platform.md §4). */
export async function generateToken(
  context: Context,
  call: Call,
  { grant_type, scope }: TokenRequest,
): Promise<TokenBody> {
  const asked = scopesIn(scope);
  if (!grant_type || asked.length === 0) throw refusals.missingParameters();
  if (grant_type !== "client_credentials") throw refusals.invalidGrantType();
  const refused = asked.filter((one) => !scopes.includes(one));
  if (refused.length > 0) throw refusals.invalidScope(refused);

  const { project_id, instant } = call;
  const api_key_id = apiKeyIdOf(call.caller);
  if (api_key_id === null) throw problems.unauthorized();
  const made = { api_key_id, scopes: asked, created_at: instant, expires_at: expiryOf(instant) };
  const access_token = newAccessToken();
  return change(context, call, async ({ tx }) => {
    const stored = await insertToken(tx, project_id, hashOfSecret(access_token), made);
    if (stored === 0) throw problems.unauthorized();
    return toTokenBody(access_token, made, instant);
  });
}

/** `POST /v1/oauth/introspect`: what a token of this project is good for, whichever of its keys made it. */
export async function introspectToken({ db }: Context, call: Call, named: NamedToken): Promise<IntrospectedTokenBody> {
  const access_token = tokenIn(named);
  const token = await findWorkingToken(db, call.project_id, hashOfSecret(access_token), call.instant);
  if (!token) return { ...inactiveTokenBody(access_token), active: false };
  return { ...toTokenBody(access_token, token, call.instant), active: true };
}

/** `POST /v1/oauth/token/revoke`: says whether there was such a token, and answers nothing else. */
export async function revokeToken(
  context: Context,
  call: Call,
  named: NamedToken,
  revoked: (was_there: boolean) => void,
): Promise<null> {
  const hash = hashOfSecret(tokenIn(named));
  return change(context, call, async ({ tx }) => {
    revoked((await deleteToken(tx, call.project_id, hash, call.instant)) > 0);
    return null;
  });
}

/** In the order of the request, each once. Only spaces part them: a comma is a character like any other. */
function scopesIn(scope = ""): string[] {
  return [...new Set(scope.split(" ").filter((one) => one !== ""))];
}

function tokenIn({ access_token }: NamedToken): string {
  if (!access_token) throw refusals.missingParameters();
  return access_token;
}
