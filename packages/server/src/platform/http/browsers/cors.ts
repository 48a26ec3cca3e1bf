import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { atOnce } from "../hooks.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The library's word: false where not every page may read the answer. */
    cors?: false;
  }
}

const call_headers = [
  "X-App-Id",
  "X-App-Token",
  "X-Client-Application-Id",
  "X-Client-Token",
  "X-Management-Id",
  "X-Management-Token",
  "Authorization",
  "X-Voucherify-API-Version",
  "X-Voucherify-Channel",
  "X-Voucherify-Double-Opt-In",
  "Idempotency-Key",
  "Content-Type",
  "Accept",
].join(",");

/** What a page may read of an answer beside its body. */
export const exposed_headers =
  "X-Rate-Limit-Limit,X-Rate-Limit-Remaining,X-Rate-Limit-Retry,X-Rate-Limit-Type,Retry-After,X-Request-Id,Idempotent-Replayed";

/** Calls an hour nobody reaches: there is no limit, but clients parse the headers (platform.md §13). */
const soft_ceiling = "1000000";

/**
 * Lets browsers call the server-side API from anywhere, and sends the headers that clients read limits from (platform.md
 * §12). A question OPTIONS gets its headers here and its answer from `answerUnrouted`, which knows the paths: the library
 * would answer 204 on any. It need not name an origin.
 *
 * A route that not every page may call says `cors: false` in its `config`, and lets its pages in by `letTrustedIn`.
 */
export async function addCors(app: Pick<FastifyInstance, "addHook" | "register">): Promise<void> {
  await app.register(cors, {
    origin: "*",
    methods: "GET,POST,PUT,DELETE,OPTIONS",
    allowedHeaders: call_headers,
    exposedHeaders: exposed_headers,
    maxAge: 86_400,
    strictPreflight: false,
    preflightContinue: true,
  });
  app.addHook(
    "onRequest",
    atOnce((_request, reply) => {
      void reply.headers({
        "x-rate-limit-limit": soft_ceiling,
        "x-rate-limit-remaining": soft_ceiling,
        "x-rate-limit-retry": "0",
      });
    }),
  );
}
