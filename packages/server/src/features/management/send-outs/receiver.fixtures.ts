import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A message as it came in. */
export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: {
    id: string;
    type: string;
    created_at: string;
    data: Record<string, unknown>;
    source: { id: string; target_url: string };
    event: { id: string; type: string; entity_id: string; group_id: string; event_source: object };
    [more: string]: unknown;
  };
}

/** A server of a customer's own that webhooks are sent to, for the length of a test; it answers 200 unless told otherwise. */
export async function aReceiver(answer: (response: ServerResponse, one: Received) => void = answering(200)) {
  const received: Received[] = [];
  let now = answer;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString("utf8");
      const one = { headers: request.headers, text, body: JSON.parse(text) };
      received.push(one);
      now(response, one);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () =>
    new Promise<void>((closed) => {
      server.closeAllConnections();
      server.close(() => closed());
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    close,
    /** What came of customers of these names. */
    names: () => received.map(({ body }) => (body.data.customer as { name?: string } | undefined)?.name),
    answers(next: typeof answer) {
      now = next;
    },
  };
}

export const answering =
  (status: number, headers: Record<string, string> = {}, text = "") =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(text);

/** It takes the message and says nothing. */
export const silent = (): void => undefined;
