import type { FastifyInstance } from "fastify";

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
  "Content-Type",
  "Accept",
].join(",");

/** Calls an hour nobody reaches: there is no limit, but clients parse the headers (platform.md §13). */
const soft_ceiling = "1000000";

/** Lets browsers call the server-side API from anywhere, and sends the headers that clients read limits from. */
export function addCors(app: Pick<FastifyInstance, "addHook">): void {
  app.addHook("onRequest", async (request, reply) => {
    void reply.headers({
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "X-Rate-Limit-Limit,X-Rate-Limit-Remaining,X-Rate-Limit-Retry,Retry-After,X-Request-Id",
      "x-rate-limit-limit": soft_ceiling,
      "x-rate-limit-remaining": soft_ceiling,
      "x-rate-limit-retry": "0",
    });
    if (request.method !== "OPTIONS") return;
    void reply.headers({
      "access-control-allow-methods": "GET,POST,PUT,DELETE,OPTIONS",
      "access-control-allow-headers": call_headers,
      "access-control-max-age": "86400",
    });
  });
}
