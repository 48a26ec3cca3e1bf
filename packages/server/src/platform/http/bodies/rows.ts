import { KeptOn } from "@guerdon/engine";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bounds } from "../../bounds.js";
import { limit_unless_given } from "../../listing/page.js";
import { heapBytes } from "../../processes/memory.js";
import { Room } from "../../sharing/room.js";
import { problems } from "../problems.js";
import { UntakenAnswers } from "./untaken.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How many rows of the database the request may hold at once; of a list as many as it shows, of others one unless a route says so. */
    rows?: (request: FastifyRequest) => number;
    /** They are orders, or show some, which may be larger than what a row is counted with otherwise. */
    rows_are_orders?: true;
  }
}

/** What one takes that is as large as may be: its metadata, as they were read, as objects, as the answer and as its text. */
const rowBytes = () => 4 * bounds().metadata_bytes_max;
/** Nobody waits longer for the room. */
const wait_ms_max = 10_000;

/** Whoever hangs up is told it as well, and hears nothing. */
const refusal = () => problems.busy("As many rows are being read as there is room for. Try again.");

/** A quarter of the heap. */
export const defaultRowsRoom = (heap_bytes = heapBytes()) => Math.round(heap_bytes / 4 / rowBytes());

interface RowsRoom {
  rows_max: number;
  /** Whose the request is: one of them has half of the room. Nobody's, such as a page, is empty, and its answer is not counted. */
  ownerOf(request: FastifyRequest): string;
  /** Is told of each answer that was ended since its client took it too slowly. */
  ended(): void;
  wait_ms?: number;
  untaken_ms?: number;
}

/**
 * Keeps rows bounded that requests hold at once, however large each may be: a list of a hundred vouchers with 64 KB of metadata takes 20 MB
 * until it is written, and two hundred of them more than most heaps (docs/adr/0118). Requests wait for each other, before anything is read.
 * Call it where it is known who asks.
 */
export function limitRows(
  app: Pick<FastifyInstance, "addHook">,
  { rows_max, ownerOf, ended, wait_ms = wait_ms_max, untaken_ms }: RowsRoom,
): void {
  const room = new Room({ most: rows_max });
  const untaken = new UntakenAnswers(room, ended, untaken_ms);
  /** Rows of requests that are not answered yet. */
  const holding = new KeptOn<FastifyRequest, number>();

  app.addHook("preHandler", (request, reply, done) => {
    const asked = rowsOf(request);
    if (asked < 2) return done();
    const owner = ownerOf(request);
    // More than its share nobody could ever have beside others.
    const rows = Math.min(asked, Math.floor(room.most / 2));
    const hold = () => {
      holding.keep(request, rows);
      done();
    };
    if (room.take(owner, rows)) hold();
    else waitFor(reply, owner, rows).then(hold, done);
  });

  async function waitFor({ raw }: FastifyReply, owner: string, rows: number): Promise<void> {
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    if (raw.destroyed) leave();
    raw.once("close", leave);
    try {
      const entering = room.enter(owner, rows, { ms: wait_ms, gone: leaving.signal, refusal });
      untaken.watch();
      await entering;
    } finally {
      raw.removeListener("close", leave);
    }
  }

  // What is written is no longer what was read: it counts as long as it is. Who has hung up has the answer made all the same.
  app.addHook("onSend", (request, { raw }, payload, done) => {
    const owner = ownerOf(request);
    const is_text = typeof payload === "string" || Buffer.isBuffer(payload);
    const rows = is_text && owner !== "" && !raw.destroyed ? Math.floor(payload.length / rowBytes()) : 0;
    const held = holding.of(request) ?? 0;
    // As with most: they are short, and about one thing.
    if (rows + held === 0) return done(null, payload);
    holding.keep(request, 0);
    room.change(owner, rows - held);
    if (rows > 0) untaken.add(owner, rows, raw);
    done(null, payload);
  });
}

function rowsOf(request: FastifyRequest): number {
  const { rows_are_orders } = request.routeOptions.config;
  return rowsAsked(request) * (rows_are_orders ? Math.ceil(bounds().order_bytes_max / rowBytes()) : 1);
}

function rowsAsked(request: FastifyRequest): number {
  const { config, schema } = request.routeOptions;
  if (config.rows) return config.rows(request);
  const { properties } = (schema?.querystring ?? {}) as { properties?: object };
  if (!properties || !("limit" in properties)) return 1;
  const { limit } = request.query as { limit?: number };
  return limit ?? limit_unless_given;
}
