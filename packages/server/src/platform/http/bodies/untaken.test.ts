import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fastify } from "fastify";
import { afterAll, expect, test } from "vitest";
import { Problem } from "../problems.js";
import { limitRows } from "./rows.js";

/** As many characters as a hundred rows are counted with, which is more than the system keeps for a socket. */
const text = "x".repeat(100 * 4 * 65_536);

/** A service with room for two such answers. */
async function serve(untaken_ms: number) {
  const app = fastify({ forceCloseConnections: true });
  let ended = 0;
  limitRows(app, {
    rows_max: 200,
    ownerOf: ({ headers }) => String(headers["x-project"]),
    ended: () => (ended += 1),
    untaken_ms,
  });
  app.setErrorHandler((error, _, reply) => reply.status(error instanceof Problem ? error.status : 500).send());
  app.get("/list", { config: { rows: () => 100 } }, async () => text);
  app.get("/one", async () => text);
  app.get("/short", { config: { rows: () => 100 } }, async () => "short");
  await app.listen({ port: 0 });
  afterAll(() => app.close());
  return { port: (app.server.address() as AddressInfo).port, ended: () => ended };
}
const { port } = await serve(2_000);
const impatient = await serve(0);

/** Takes the beginning of an answer and no more. */
async function takeLittle(project: string, path = "/list", of_port = port): Promise<Socket> {
  const socket = connect(of_port);
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
  const take = (project: string) => takeLittle(project, "/one", impatient.port);
  const [others, oldest] = [await take("b"), await take("a")];
  // At once, so that both are there when it is looked for the first time.
  const more = await Promise.all([take("a"), take("a")]);
  await expect.poll(impatient.ended).toBe(2);
  const [of_others, of_oldest, ...of_more] = await endedOf([others, oldest, ...more]);
  expect([of_others, of_oldest, of_more.sort()]).toEqual([false, true, [false, true]]);
  expect(impatient.ended()).toBe(2);
});
