import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { by_the_clock } from "./harness/by-the-clock.js";
import { sendRaw } from "./harness/raw-http.js";
import { startService } from "./harness/service.js";

const clients_max = 40;
const { api, url } = await startService({ clients: { clients_max, request_seconds_max: 2 } });
const { hostname, port } = new URL(url);

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await pause(50);
});

async function connected(): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Says what the service answered before it hung up, and after how long. */
async function ended(socket: Socket): Promise<{ text: string; seconds: number }> {
  const begun = performance.now();
  let text = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  await once(socket, "close");
  return { text, seconds: (performance.now() - begun) / 1000 };
}

/** Sends a piece every quarter of a second until the service has had enough. */
async function sendSlowly(socket: Socket, piece: string): Promise<void> {
  while (socket.writable && !socket.destroyed) {
    socket.write(piece);
    await pause(250);
  }
}

describe("a client that takes its time", () => {
  test.each([
    ["over its head", "POST /v1/customers HTTP/1.1\r\nhost: localhost\r\n", "x: y\r\n"],
    ["over its body", "POST /health HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n", "x"],
  ])("%s is ended", by_the_clock, async (_, head, piece) => {
    const socket = await connected();
    const end = ended(socket);
    socket.write(head);
    await Promise.all([sendSlowly(socket, piece), end]);
    expect((await end).seconds).toBeLessThan(6);
  });

  test("to say anything at all is ended too, and told why", by_the_clock, async () => {
    const { text, seconds } = await ended(await connected());
    expect(seconds).toBeLessThan(6);
    expect(text).toContain("408");
  });
});

describe("a client that does not read its answers", () => {
  const request = "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n";
  const last = request.replace("host", "connection: close\r\nhost");
  // More than the system keeps for a connection by itself.
  const requests = request.repeat(30) + last;

  /** What of the answers came, after nothing was read for so long. */
  async function readAfter(ms: number): Promise<{ bytes: number; is_whole: boolean }> {
    const socket = await connected();
    socket.pause();
    socket.write(requests);
    await pause(ms);
    const end = ended(socket);
    socket.resume();
    const { text } = await end;
    return { bytes: text.length, is_whole: text.endsWith("}\n") && text.split("HTTP/1.1 200").length === 32 };
  }

  test("is ended, since they wait in memory, and one that is slow to take them is not", async () => {
    const [never, slow] = await Promise.all([readAfter(6_000), readAfter(1_000)]);
    expect(slow.is_whole).toBe(true);
    expect(never.is_whole).toBe(false);
    expect(never.bytes).toBeLessThan(slow.bytes);
  });
});

describe("connections", () => {
  test("that are idle keep nobody out below the bound", async () => {
    for (let i = 0; i < clients_max - 10; i += 1) await connected();
    await api.get("/v1/customers", 200);
  });

  test("beyond the bound are told to come again, and those far beyond it are dropped", async () => {
    for (let i = 0; i < clients_max; i += 1) await connected();
    const ask = (path: string) =>
      sendRaw(url, [`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`]);
    const answer = await ask("/v1/customers");
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(JSON.parse(answer.text)).toMatchObject({ key: "service_unavailable" });
    expect((await ask("/health")).status).toBe(200);
    for (let i = 0; i < clients_max / 10 + 2; i += 1) await connected();
    expect((await ended(await connected())).text).toBe("");
  });
});
