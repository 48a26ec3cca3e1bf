import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { atOnce } from "./hooks.js";
import { problems } from "./problems.js";

/** What the clients of a process may take, together and each. */
export interface ClientLimits {
  /** Connections at once, idle ones too. */
  clients_max: number;
  /**
   * From the first byte of a request to its last: who sends more slowly is ended. So is whoever takes nothing of an answer for as
   * long, which is held in memory until then.
   */
  request_seconds_max: number;
}

export const default_client_limits: ClientLimits = { clients_max: 5_000, request_seconds_max: 60 };

/** The head is small, so it is given less; a connection on which nobody has asked anything yet is ended by it too. */
const head_seconds_max = 10;

/** What Node.js holds every connection to. */
export const timeoutsOf = ({ request_seconds_max }: ClientLimits) => ({
  headersTimeout: 1_000 * Math.min(head_seconds_max, request_seconds_max),
  requestTimeout: 1_000 * request_seconds_max,
  // How late it is noticed; every half a minute would be the default.
  connectionsCheckingInterval: 1_000,
});

/**
 * Keeps connections bounded, each of which costs memory and a file. One beyond the bound is told so and closed, as long as
 * there are not too many of those either; then they are dropped. Not by `maxConnections` of Node.js: a process of several hands a
 * connection back then, and where all are full it goes round for ever.
 */
export function limitClients(
  app: Pick<FastifyInstance, "addHook" | "server">,
  { clients_max, request_seconds_max }: ClientLimits,
): void {
  const told_max = clients_max + Math.ceil(clients_max / 10);
  let connected = 0;
  const beyond = new WeakSet<Socket>();
  app.server.on("connection", (socket: Socket) => {
    connected += 1;
    socket.once("close", () => {
      connected -= 1;
    });
    if (connected > told_max) socket.destroy();
    else if (connected > clients_max) beyond.add(socket);
  });
  app.addHook(
    "onRequest",
    atOnce((request, reply) => {
      // Whoever looks whether the process is alive is told that it is.
      if (!beyond.has(request.raw.socket) || request.url === "/health") return;
      void reply.header("connection", "close");
      throw problems.busy("Too many connections are open. Try again.");
    }),
  );
  app.addHook("onSend", ({ raw: { socket } }, reply, payload, done) => {
    // The time is that of a connection on which nothing moves; an answer that is still being made has written nothing.
    reply.raw.setTimeout(1_000 * request_seconds_max, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    done(null, payload);
  });
}
