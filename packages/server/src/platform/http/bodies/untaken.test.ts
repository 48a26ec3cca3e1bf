import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fastify } from "fastify";
import { afterAll, expect, test } from "vitest";
import { Problem } from "../problems.js";
import { limitRows } from "./rows.js";

const app = fastify({ forceCloseConnections: true });
let ended = 0;
limitRows(app, {
  rows_max: 200,
  ownerOf: ({ headers }) => String(headers["x-project"]),
  ended: () => (ended += 1),
  untaken_ms: 2_000,
});
app.setErrorHandler((error, _, reply) => reply.status(error instanceof Problem ? error.status : 500).send());
/** As many characters as a hundred rows are counted with, which is more than the system keeps for a socket. */
const text = "x".repeat(100 * 4 * 65_536);
app.get("/list", { config: { rows: () => 100 } }, async () => text);
app.get("/one", async () => text);
app.get("/short", { config: { rows: () => 100 } }, async () => "short");
await app.listen({ port: 0 });
afterAll(() => app.close());
const { port } = app.server.address() as AddressInfo;

/** Takes the beginning of an answer and no more. */
async function takeLittle(project: string, path = "/list"): Promise<Socket> {
  const socket = connect(port);
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-project: ${project}\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  return socket;
}

const ask = async (project: string) =>
  (await fetch(`http://localhost:${port}/short`, { headers: { "x-project": project } })).status;

/** Which of them were ended before they had all of it. */
async function endedOf(sockets: readonly Socket[]): Promise<boolean[]> {
  const all = sockets.map(async (socket) => {
    let bytes = 0;
    socket.on("data", (data) => {
      bytes += data.length;
      if (bytes >= text.length - 100_000) socket.destroy();
    });
    socket.resume();
    if (!socket.destroyed) await once(socket, "close");
    return bytes < text.length - 100_000;
  });
  return Promise.all(all);
}

test("for whoever lacks the room the oldest answer that nobody takes is ended, when it has had its time", async () => {
  const slow = [await takeLittle("a")];
  const begun = performance.now();
  slow.push(await takeLittle("b"));
  expect(await ask("c")).toBe(200);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(1_500);
  expect(await endedOf(slow)).toEqual([true, false]);
});

test("who takes an answer slowly has it while nobody lacks the room", async () => {
  const slow = await takeLittle("a");
  await pause(2_600);
  expect(await endedOf([slow])).toEqual([false]);
});

test("who lacks only their own share has their own ended, however long others are at theirs", async () => {
  const others = await takeLittle("b");
  const own = await takeLittle("a");
  expect(await ask("a")).toBe(200);
  expect(await endedOf([others, own])).toEqual([false, true]);
});

test("an answer about one thing counts as well: beyond the room the slowest of whoever has most are ended", async () => {
  const slow = [await takeLittle("b", "/one")];
  for (let i = 0; i < 3; i += 1) slow.push(await takeLittle("a", "/one"));
  await pause(3_000);
  expect(await endedOf(slow)).toEqual([false, true, true, false]);
  expect(ended).toBe(4);
});
