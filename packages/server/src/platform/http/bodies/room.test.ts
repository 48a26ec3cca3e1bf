import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { fastify } from "fastify";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { Problem } from "../problems.js";
import { announcedBytes, limitBodies } from "./room.js";

const app = fastify({ forceCloseConnections: true });
limitBodies(app, { bytes_max: 400_000, ownerOf: ({ headers }) => String(headers["x-project"]) });
app.setErrorHandler((error, _, reply) => reply.status(error instanceof Problem ? error.status : 500).send());
app.addContentTypeParser("text/plain", { parseAs: "string" }, (_, __, done) => done(null));
app.post("/", async () => "read");
await app.listen({ port: 0 });
afterAll(() => app.close());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Asks with a body of that many bytes, of which nothing is sent before `send`; `answer` is the status. */
async function asking(project: string, bytes: number) {
  const socket = connect((app.server.address() as AddressInfo).port);
  sockets.push(socket);
  await once(socket, "connect");
  let text = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const head = { host: "localhost", "content-type": "text/plain", "content-length": bytes, "x-project": project };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST / HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  const answer = () => vi.waitUntil(() => text.split(" ")[1], { timeout: 5000, interval: 5 });
  return { answer, send: () => socket.write("x".repeat(bytes)), hangUp: () => socket.destroy() };
}

const statusOf = async (project: string, bytes: number) => {
  const asked = await asking(project, bytes);
  asked.send();
  return asked.answer();
};

test("a project has at most half of the room for large bodies, and all together no more than there is", async () => {
  const [first, second] = [await asking("a", 100_000), await asking("a", 100_000)];
  await vi.waitUntil(async () => (await statusOf("a", 70_000)) === "503", { timeout: 5000 });
  await asking("b", 190_000);
  await vi.waitUntil(async () => (await statusOf("c", 70_000)) === "503", { timeout: 5000 });
  expect(await statusOf("a", 60_000)).toBe("200");
  first.hangUp();
  second.send();
  expect(await second.answer()).toBe("200");
  await vi.waitUntil(async () => (await statusOf("c", 70_000)) === "200", { timeout: 5000 });
});

test("one that is alone is read, however large the room is", async () => {
  expect(await statusOf("a", 500_000)).toBe("200");
});

test("one that comes in chunks counts as the largest", () => {
  expect(announcedBytes({ headers: { "transfer-encoding": "chunked" } }, 7)).toBe(7);
  expect(announcedBytes({ headers: { "content-length": "12" } }, 7)).toBe(12);
});
