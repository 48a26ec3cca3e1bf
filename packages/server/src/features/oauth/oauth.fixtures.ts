import { type Answer, type Client, createClient } from "../../../test/harness/client.js";

export const unauthorized = { code: 401, key: "unauthorized", message: "Unauthorized" };
export const missing_permission = {
  code: 403,
  key: "missing_required_permission",
  message: "Missing permission",
  details: "User does not have a required permission to perform this operation.",
};

/** Sends a form as a browser or an OAuth library does; a text is sent as it is. */
export function postForm(
  api: Client,
  path: string,
  fields: Record<string, string> | string,
  status?: number,
  headers: Record<string, string | null> = {},
): Promise<Answer> {
  const raw = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return api.send("POST", path, { raw, headers: { ...type, ...headers }, ...(status === undefined ? {} : { status }) });
}

/** A new token of the calling key. */
export async function aToken(api: Client, scope = "api"): Promise<string> {
  const { body } = await postForm(api, "/v1/oauth/token", { grant_type: "client_credentials", scope }, 200);
  return body.access_token;
}

/** A caller with nothing but a bearer token. */
export const bearing = (url: string, token: string) => createClient(url, { authorization: `Bearer ${token}` });
