import type { FastifyReply, FastifyRequest } from "fastify";
import { exposed_headers } from "./cors.js";

/**
 * Whether a page may call the client side of a project, whose trusted domains these are; a page that may is let in by its
 * answer's headers (platform.md §5, §12). The question is asked behind authentication, which finds the project: the library
 * of `addCors` asks before, so it cannot say this. Who names no origin is no page, and is let in where all pages are.
 */
export function letTrustedIn({ headers }: FastifyRequest, reply: FastifyReply, domains: readonly string[]): boolean {
  const { origin } = headers;
  void reply.header("vary", "Origin");
  if (origin !== undefined && isTrusted(origin, domains)) {
    void reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": exposed_headers });
    return true;
  }
  // It may have been trusted by what was known of the project before.
  void reply.removeHeader("access-control-allow-origin");
  return origin === undefined && domains.includes("*");
}

/** An entry names a whole origin, or without a scheme its host, or its host and port (platform.md §5). */
function isTrusted(origin: string, domains: readonly string[]): boolean {
  const whole = normal(origin);
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/.exec(whole) ?? [];
  // `null`, which sandboxed pages send, is nobody's origin.
  if (scheme === undefined || authority === undefined) return domains.includes("*");
  const host = authority.replace(/:\d+$/, "");
  return domains.some((domain) => domain === "*" || [whole, authority, host].includes(normal(domain)));
}

const normal = (name: string) => name.trim().toLowerCase().replace(/\/+$/, "");
