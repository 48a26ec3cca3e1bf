import { once } from "node:events";
import { connect, type Socket } from "node:net";

interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
}

/**
 * Writes bytes to the service and reads what comes back until it hangs up: for requests that `fetch` refuses to make.
 * The head should say `connection: close`.
 */
export async function sendRaw(url: string, pieces: Iterable<string | Uint8Array>): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on("data", (bytes) => received.push(bytes));
  // A service that has answered a body it does not want may hang up while we still send it.
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  await once(socket, "connect");
  for (const piece of pieces) await write(socket, piece);
  await closed;
  return parsed(Buffer.concat(received).toString("utf8"));
}

async function write(socket: Socket, piece: string | Uint8Array): Promise<void> {
  if (socket.destroyed || !socket.writable) return;
  if (!socket.write(piece)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
}

/** The head of a request, ready to send. */
export function head(method: string, target: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: "localhost", connection: "close", ...headers }).map((pair) => pair.join(": "));
  return `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** One piece of a chunked body. */
export function chunk(bytes: Uint8Array): Uint8Array[] {
  return [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")];
}

export const last_chunk = "0\r\n\r\n";

function parsed(text: string): RawAnswer {
  const split = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, Math.max(0, split)).split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(" ")[1] ?? 0),
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: split < 0 ? "" : text.slice(split + 4),
  };
}
