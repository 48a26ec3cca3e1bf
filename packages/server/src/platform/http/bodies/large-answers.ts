import { KeptOn } from "@guerdon/engine";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Companies } from "../../sharing/together.js";
import { problems } from "../problems.js";

/** Characters from which on an answer is a large one: reading and writing it takes the thread for some 30 ms. */
const large_min = 1_000_000;
/** Of one owner. */
const waiting_max = 50;
/** Operations of owners that are known to have large answers; beyond them the first is forgotten. */
const known_max = 10_000;
/** So many small answers and it is one no more. */
const small_max = 10;

interface Waiting {
  begin(): void;
  ended: Promise<void>;
}

/**
 * Has an owner's large answers made one after the other. Each is read from the database and written in stretches of its own, and several
 * that come together are one stretch: six lists of a hundred customers with 64 KB each held the thread for 1.2 s. How large an answer will be
 * nobody knows, so an operation waits of which one of the last ten was. Call it where it is known who asks.
 */
export function oneLargeAnswerAtATime(
  app: Pick<FastifyInstance, "addHook">,
  ownerOf: (request: FastifyRequest) => string,
): void {
  /** How many small answers each may have yet. */
  const large = new Map<string, number>();
  const ends = new KeptOn<FastifyRequest, () => void>();
  const answers = new Companies<Waiting>({
    at_once: 1,
    sizeOf: () => 1,
    async go([one]) {
      one?.begin();
      await one?.ended;
    },
  });
  const nameOf = (request: FastifyRequest) => `${ownerOf(request)} ${request.method} ${request.routeOptions.url}`;

  app.addHook("onRequest", (request, reply, done) => {
    if (large.size === 0 || !large.has(nameOf(request))) done();
    else takeTurn(request, reply).then(() => done(), done);
  });

  async function takeTurn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const owner = ownerOf(request);
    if (answers.waiting(owner) >= waiting_max)
      throw problems.busy("As many large answers of the project wait as may. Try again.");
    await new Promise<void>((begin, giveUp) => {
      const ended = new Promise<void>((end) => {
        ends.keep(request, end);
        reply.raw.once("close", () => {
          end();
          giveUp(problems.busy("Nobody waits for the answer any more."));
        });
      });
      answers.join(owner, { begin, ended });
    });
  }

  app.addHook("onSend", (request, { statusCode }, payload, done) => {
    const is_written = typeof payload === "string" || Buffer.isBuffer(payload);
    const is_large = is_written && payload.length >= large_min;
    // A refusal says nothing of how large an answer would have been: else those whom a crowd is refused would let the next crowd in.
    if (is_large || (large.size > 0 && statusCode < 400)) note(nameOf(request), is_large);
    ends.of(request)?.();
    done(null, payload);
  });

  function note(name: string, is_large: boolean): void {
    const left = is_large ? small_max : (large.get(name) ?? 0) - 1;
    large.delete(name);
    if (left > 0) large.set(name, left);
    const [oldest = ""] = large.size > known_max ? large.keys() : [];
    large.delete(oldest);
  }
}
