import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { createLog } from "../log.js";
import { createMetrics } from "../metrics.js";
import { createApp } from "./app.js";

const app = await createApp({
  log: createLog("silent"),
  metrics: createMetrics(),
  check_responses: false,
  path_words: {},
});
afterAll(() => app.close());

test("of hundreds of requests that arrive together 64 begin in one turn of the event loop, and all are answered", async () => {
  const begun_in = new Map<number, number>();
  let turn = 0;
  app.get("/begun", async () => {
    begun_in.set(turn, (begun_in.get(turn) ?? 0) + 1);
    return {};
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  let accepted = 0;
  app.server.on("connection", () => (accepted += 1));
  const { port } = app.server.address() as AddressInfo;
  const sockets = Array.from({ length: 200 }, () => connect(port, "127.0.0.1"));
  await vi.waitUntil(() => accepted === sockets.length);
  let is_counting = true;
  const count = () => {
    turn += 1;
    if (is_counting) setImmediate(count);
  };
  count();
  for (const socket of sockets) socket.write("GET /begun HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
  const answers = await Promise.all(sockets.map((socket) => once(socket, "data").then(([bytes]) => String(bytes))));
  is_counting = false;
  for (const socket of sockets) socket.destroy();
  expect(new Set(answers.map((answer) => answer.split("\r\n")[0]))).toEqual(new Set(["HTTP/1.1 200 OK"]));
  const most = Math.max(...begun_in.values());
  expect(most).toBeLessThanOrEqual(64);
  // They did arrive together.
  expect(most).toBeGreaterThan(32);
});
