import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Seal } from "../../secrets.js";
import { problems } from "../problems.js";

/**
 * On every call of our own pages, even where no project is chosen: no other site can send it, since `addCors` does not name it
 * among the headers that a page may send.
 */
export const project_header = "x-project-id";

/** Whoever sends one of these is no page of ours, or does not want to be taken for one: what they say counts alone. */
export const key_headers = ["x-app-id", "x-app-token", "authorization"] as const;

/** Longer than any that we make; it is not even hashed. */
const token_length_max = 128;

/** A request that a page of ours makes names itself by `w-`, any other by `v-`. */
export const requestPrefixOf = ({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): "v" | "w" =>
  /^\/+dashboard\//.test(url) ||
  (headers[project_header] !== undefined && key_headers.every((name) => headers[name] === undefined))
    ? "w"
    : "v";

/**
 * Refuses a call that another site may have made our visitor's browser send along with their cookie. The header alone cannot be sent
 * from elsewhere without a question that is answered no; what changes something must also say where it comes from, in words that
 * no page can choose.
 */
export function assertOwnPage(request: FastifyRequest, public_url: string | undefined): void {
  const { method, headers } = request;
  if (headers[project_header] === undefined)
    throw problems.forbidden(
      "A call with a session needs the header X-Project-Id, which pages of other sites cannot send",
    );
  if (method === "GET" || method === "HEAD") return;
  if (headers["sec-fetch-site"] === "same-origin") return;
  const ours = public_url === undefined ? `${request.protocol}://${request.host}` : new URL(public_url).origin;
  if (headers["sec-fetch-site"] !== undefined || headers.origin !== ours)
    throw problems.forbidden(`A call with a session must come from a page of ${ours}: see GUERDON_PUBLIC_URL`);
}

/** Where a browser keeps who is signed in. */
export interface TokenCookie {
  read(request: Pick<FastifyRequest, "headers">): string | null;
  set(reply: FastifyReply, token: string, seconds: number): void;
  clear(reply: FastifyReply): void;
}

/**
 * No script may read it, and no other site has it sent. Where pages come by https it belongs to their host alone; else its name tells
 * installations apart, as cookies know no ports.
 */
export function tokenCookie({ fingerprint }: Pick<Seal, "fingerprint">, public_url: string | undefined): TokenCookie {
  const is_secure = public_url?.startsWith("https:") ?? false;
  const name = is_secure ? "__Host-guerdon" : `guerdon_${fingerprint}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${is_secure ? "; Secure" : ""}`;
  return {
    read({ headers }) {
      const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
      const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
      return found === "" || found.length > token_length_max ? null : found;
    },
    set: (reply, token, seconds) =>
      void reply.header("set-cookie", `${name}=${token}; ${attributes}; Max-Age=${seconds}`),
    clear: (reply) => void reply.header("set-cookie", `${name}=; ${attributes}; Max-Age=0`),
  };
}
