import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { addFormRoutes } from "../../platform/http/bodies/forms.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf } from "../projects/index.js";
import { IntrospectedTokenBody, NamedToken, TokenBody, TokenRequest } from "./oauth.schemas.js";
import { generateToken, introspectToken, revokeToken } from "./oauth.service.js";

/** `/v1/oauth` (platform.md §4). A token cannot make or end tokens, so only the key pair opens these. */
export function oauthRoutes(app: App, context: Context): void {
  const tags = ["oauth"];
  const consumes = ["application/x-www-form-urlencoded"];
  const config = { credentials: "application_pair" } as const;

  addFormRoutes(app, (forms) => {
    forms.addHook("onSend", async (_request, reply) => {
      void reply.header("cache-control", "no-store");
    });

    forms.post(
      "/v1/oauth/token",
      {
        config: { ...config, secret_answer: true },
        schema: {
          operationId: "generate-oauth-token",
          tags,
          consumes,
          body: TokenRequest,
          response: withProblems({ 200: TokenBody }),
        },
      },
      (request) => generateToken(context, callOf(request), request.body),
    );

    forms.post(
      "/v1/oauth/introspect",
      {
        config: { ...config, changes_nothing: true },
        schema: {
          operationId: "introspect-oauth-token",
          tags,
          consumes,
          body: NamedToken,
          response: withProblems({ 200: IntrospectedTokenBody }),
        },
      },
      (request) => introspectToken(context, callOf(request), request.body),
    );

    forms.post(
      "/v1/oauth/token/revoke",
      {
        config,
        schema: {
          operationId: "revoke-oauth-token",
          tags,
          consumes,
          body: NamedToken,
          response: withProblems({ 204: NoContent, 404: NoContent }),
        },
      },
      (request, reply) =>
        revokeToken(context, callOf(request), request.body, (was_there) => void reply.code(was_there ? 204 : 404)),
    );
  });
}
