import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { fastify } from "fastify";
import { afterAll, expect, test, vi } from "vitest";
import { Problem } from "../problems.js";
import { limitRows } from "./rows.js";

const app = fastify({ forceCloseConnections: true });
limitRows(app, { rows_max: 200, ownerOf: ({ headers }) => String(headers["x-project"]), ended() {}, wait_ms: 500 });
app.setErrorHandler((error, _, reply) => reply.status(error instanceof Problem ? error.status : 500).send());
const open: (() => void)[] = [];
const until_opened = () => new Promise<void>((go) => open.push(go));
const read = () => until_opened().then(() => "read");
const querystring = { type: "object", properties: { limit: { type: "integer" } } };
app.get("/list", { schema: { querystring } }, read);
app.get("/orders", { config: { rows_are_orders: true }, schema: { querystring } }, read);
app.get("/one", { schema: { querystring: { type: "object", properties: {} } } }, read);
app.post("/decide", { config: { rows: () => 60 } }, read);
/** As many characters as a hundred rows are counted with. */
app.get("/written", { config: { rows: () => 2 } }, async () => "x".repeat(100 * 4 * 65_536));
await app.listen({ port: 0 });
afterAll(() => app.close());
const { port } = app.server.address() as AddressInfo;

function ask(project: string, path: string, signal?: AbortSignal, method = path === "/decide" ? "POST" : "GET") {
  return fetch(`http://localhost:${port}${path}`, { method, headers: { "x-project": project }, signal }).then(
    ({ status }) => status,
    () => "gone",
  );
}
const begun = (count: number) => vi.waitUntil(() => open.length === count, { timeout: 5000, interval: 5 });
function answerAll() {
  for (const go of open.splice(0)) go();
}

test("a project holds half of the rows, and what it asks beyond waits before anything is read", async () => {
  const first = [ask("a", "/list?limit=50"), ask("a", "/list?limit=50", undefined, "HEAD")];
  await begun(2);
  const waiting = [ask("a", "/list"), ask("a", "/decide")];
  const others = [ask("a", "/one"), ask("b", "/list?limit=100")];
  await begun(4);
  answerAll();
  expect(await Promise.all([...first, ...others])).toEqual([200, 200, 200, 200]);
  await begun(2);
  answerAll();
  expect(await Promise.all(waiting)).toEqual([200, 200]);
});

test("a list of orders counts as much as they may have", async () => {
  const first = ask("a", "/orders?limit=20");
  await begun(1);
  expect(await ask("a", "/list?limit=30")).toBe(503);
  const beside = ask("a", "/list?limit=20");
  await begun(2);
  answerAll();
  expect(await Promise.all([first, beside])).toEqual([200, 200]);
});

test("nobody waits for ever, and more than half of all is asked for alone", async () => {
  const first = ask("a", "/list?limit=1000");
  await begun(1);
  expect(await ask("a", "/list?limit=2")).toBe(503);
  answerAll();
  expect(await first).toBe(200);
});

test("who hangs up while waiting, or while it is being answered, holds nothing", async () => {
  const leaving = new AbortController();
  const gone = [ask("a", "/list?limit=100", leaving.signal)];
  await begun(1);
  gone.push(ask("a", "/list?limit=100", leaving.signal));
  leaving.abort();
  expect(await Promise.all(gone)).toEqual(["gone", "gone"]);
  // What was asked is still being read: it is held until then.
  expect(await ask("a", "/list?limit=2")).toBe(503);
  const opening = setInterval(answerAll, 5);
  expect(await ask("a", "/list?limit=100")).toBe(200);
  clearInterval(opening);
});

test("an answer that nobody takes counts as long as it is", async () => {
  const socket = connect(port);
  socket.write("GET /written HTTP/1.1\r\nhost: localhost\r\nx-project: a\r\n\r\n");
  await once(socket, "data");
  socket.pause();
  expect(await ask("a", "/list?limit=2")).toBe(503);
  socket.destroy();
  const next = ask("a", "/list?limit=2");
  await begun(1);
  answerAll();
  expect(await next).toBe(200);
});
