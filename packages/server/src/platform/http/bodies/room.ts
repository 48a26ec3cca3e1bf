import type { FastifyInstance, FastifyRequest } from "fastify";
import { heapBytes } from "../../processes/memory.js";
import { Room } from "../../sharing/room.js";
import { body_bytes_max } from "../door.js";
import { atOnce } from "../hooks.js";
import { problems } from "../problems.js";

/** What is smaller is bounded by the number of connections. */
const counted_bytes_min = 65_536;

/** A share of the heap: what is read of a body takes some five times its length. */
export const defaultBodiesRoom = (heap_bytes = heapBytes()) => Math.round(heap_bytes / 16);

interface BodiesRoom {
  bytes_max: number;
  /** Whose the body is: one of them has half of the room. */
  ownerOf(request: FastifyRequest): string;
}

/** Keeps large bodies bounded that are under way at once. Call it where it is known who asks, before bodies are read. */
export function limitBodies(app: Pick<FastifyInstance, "addHook">, { bytes_max, ownerOf }: BodiesRoom): void {
  const room = new Room({ most: bytes_max });
  app.addHook(
    "onRequest",
    atOnce((request, reply) => {
      const bytes = announcedBytes(request, body_bytes_max);
      if (bytes < counted_bytes_min) return;
      const owner = ownerOf(request);
      if (!room.take(owner, bytes))
        throw problems.busy("The service reads as many large bodies as it may just now. Try again.");
      reply.raw.once("close", () => room.change(owner, -bytes));
    }),
  );
}

/** What the client says of its body, at most as much as is read; `unsaid` of one that comes in chunks. */
export function announcedBytes({ headers }: Pick<FastifyRequest, "headers">, unsaid: number): number {
  if (headers["transfer-encoding"] !== undefined) return unsaid;
  return Math.min(Number(headers["content-length"]) || 0, body_bytes_max);
}
