import type { FastifyInstance } from "fastify";
import { atOnce } from "./hooks.js";

/**
 * Lets a service that stops wait for its answers and for nothing else. Fastify closes the connections that are idle at
 * that moment, but not one that is just being answered, which would stay open for a next request, nor one on which
 * nobody has asked anything yet: a client may hold either open for a minute.
 */
export function closeBehindAnswers(app: Pick<FastifyInstance, "addHook" | "server">): void {
  let is_closing = false;
  let answering = 0;
  const closeIfDone = () => {
    if (is_closing && answering === 0) app.server.closeAllConnections();
  };
  app.addHook(
    "onRequest",
    atOnce((_request, reply) => {
      answering += 1;
      // Also comes when the client hangs up before its answer.
      reply.raw.once("close", () => {
        answering -= 1;
        closeIfDone();
      });
    }),
  );
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (is_closing) void reply.header("connection", "close");
    done(null, payload);
  });
  app.addHook("preClose", async () => {
    is_closing = true;
    closeIfDone();
  });
}
