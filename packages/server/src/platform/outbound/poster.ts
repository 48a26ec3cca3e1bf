import type { Readable } from "node:stream";
import { Agent, request } from "undici";
import { connectorTo, type Resolve, resolveAny, resolvePublic } from "./connector.js";
import type { Reach } from "./target.js";

interface Posting {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

interface PosterOptions extends Reach {
  /** From the look-up of the name to the head of the answer; what is read of its body is read within it too. */
  ms_max: number;
  /** Of the answer's body; the rest is not read. */
  answer_bytes_max: number;
  resolve?: Resolve;
}

/** What came back. */
export interface Answered {
  status: number;
  text: string;
}

/** Sends to addresses that callers have written down. Redirects are answers like any other. */
export interface Poster {
  /** @throws an error whose message says to whoever wrote the address down why there was no answer */
  post(posting: Posting): Promise<Answered>;
  close(): Promise<void>;
}

/** Connections stay open for the next message to the same host, as long as it lets them. */
const idle_ms = 5_000;

export function createPoster(options: PosterOptions): Poster {
  const { allow_private, ms_max, answer_bytes_max, resolve = allow_private ? resolveAny : resolvePublic } = options;
  const dispatcher = new Agent({
    connect: connectorTo({ allow_private }, ms_max, resolve),
    keepAliveTimeout: idle_ms,
    keepAliveMaxTimeout: idle_ms,
    maxRedirections: 0,
  });
  return {
    async post({ url, headers, body }) {
      const signal = AbortSignal.timeout(ms_max);
      try {
        const answer = await request(url, { dispatcher, method: "POST", headers, body, signal });
        return { status: answer.statusCode, text: await beginningOf(answer.body, answer_bytes_max) };
      } catch (error) {
        throw new Error(signal.aborted ? `no answer within ${ms_max / 1000} s` : reasonOf(error as Error), {
          cause: error,
        });
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** As much as is kept, or as came before the time was over: the head of an answer has said how it ended. */
async function beginningOf(body: Readable, bytes_max: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= bytes_max) break;
    }
  } catch {
    // It broke off.
  }
  body.destroy();
  // PostgreSQL keeps no text with U+0000.
  return Buffer.concat(pieces).subarray(0, bytes_max).toString("utf8").replaceAll("\0", "");
}

const reason_length_max = 500;

/** Of several addresses that were tried, the first one's. */
function reasonOf(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return ((first ?? error).message || error.name).slice(0, reason_length_max).replaceAll("\0", "");
}
