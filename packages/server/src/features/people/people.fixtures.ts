import { type Client, createClient } from "../../../test/harness/client.js";
import type { TestService } from "../../../test/harness/service.js";
import { project_header } from "../../platform/http/browsers/own-pages.js";
import { hashOfSecret, newSecret } from "../../platform/secrets.js";
import { aUser } from "../management/users/user.fixtures.js";
import { putMember, type Role } from "../projects/index.js";
import { makeLink } from "./people.service.js";
import { insertSession, putPassword } from "./sign-in.store.js";

type Service = Pick<TestService, "url" | "context">;

/** The cookie's name on a service without an address of its own. */
export const cookieNameOf = ({ context }: Pick<TestService, "context">) => `guerdon_${context.seal.fingerprint}`;

/** Calls as a page of ours does in the browser of whoever holds the session; without one nobody is signed in. */
export const aBrowser = (service: Service, project_id: string, token?: string): Client =>
  createClient(service.url, {
    [project_header]: project_id,
    "sec-fetch-site": "same-origin",
    ...(token === undefined ? {} : { cookie: `other=1; ${cookieNameOf(service)}=${token}` }),
  });

/** The session of somebody who has chosen a password that nobody knows. */
export async function aSessionOf({ context }: Service, user_id: string): Promise<string> {
  const token = newSecret();
  const instant = context.clock.now();
  const session = { token_hash: hashOfSecret(token), user_id, password_hash: "known to nobody", instant };
  await context.db.transaction(async (tx) => {
    await putPassword(tx, user_id, session.password_hash, instant);
    await insertSession(tx, session);
  });
  return token;
}

/** Somebody who is signed in and has a role in a project. */
export async function someoneIn(
  service: TestService,
  project_id: string,
  role: Role,
  fields: { is_owner?: boolean } = {},
) {
  const user = await aUser(service, fields);
  await service.context.db.transaction((tx) => putMember(tx, project_id, user.id, role, service.clock.now()));
  const token = await aSessionOf(service, user.id);
  return { user, token, browser: aBrowser(service, project_id, token) };
}

/** What stands behind `#` in a link of theirs. */
export const aLinkOf = async ({ context }: Service, user_id: string): Promise<string> =>
  (await makeLink(context, context.db, user_id)).path.split("#")[1] ?? "";

/** The session's token of an answer that signs somebody in. */
export const tokenIn = ({ headers }: { headers: Headers }): string | undefined =>
  /^[^=]+=([^;]+);/.exec(headers.get("set-cookie") ?? "")?.[1];
