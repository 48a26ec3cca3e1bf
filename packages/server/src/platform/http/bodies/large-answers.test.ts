import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { oneLargeAnswerAtATime } from "./large-answers.js";

const app = fastify({ forceCloseConnections: true });
oneLargeAnswerAtATime(app, ({ headers }) => String(headers["x-project"]));
let at_once = 0;
let most = 0;
app.get("/", async (request, reply) => {
  at_once += 1;
  most = Math.max(most, at_once);
  await new Promise((go) => setTimeout(go, 10));
  at_once -= 1;
  const { length, status = "200" } = request.query as { length: string; status?: string };
  return reply.status(Number(status)).send("x".repeat(Number(length)));
});
const url = await app.listen({ port: 0 });
afterAll(() => app.close());

async function ask(project: string, length: number, times = 1): Promise<number> {
  most = 0;
  const asked = Array.from({ length: times }, async () => {
    const answer = await fetch(`${url}/?length=${length}`, { headers: { "x-project": project } });
    expect((await answer.text()).length).toBe(length);
  });
  await Promise.all(asked);
  return most;
}
const large = 1_000_000;

test("what had a large answer is made once at a time, for its project alone, until its answers are small", async () => {
  expect(await ask("small", 10, 6)).toBeGreaterThan(1);
  expect(await ask("large", large)).toBe(1);
  expect(await ask("large", large, 6)).toBe(1);
  expect(await ask("small", 10, 6)).toBeGreaterThan(1);
  // A small one between two large ones lets nobody through.
  expect(await ask("large", 10)).toBe(1);
  expect(await ask("large", large, 6)).toBe(1);
  expect(await ask("large", 10, 12)).toBeGreaterThanOrEqual(1);
  expect(await ask("large", 10, 6)).toBeGreaterThan(1);
});

test("what is refused says nothing of how large an answer would be", async () => {
  await ask("refused", large);
  for (let i = 0; i < 12; i += 1)
    await fetch(`${url}/?length=10&status=503`, { headers: { "x-project": "refused" } }).then((refusal) =>
      refusal.text(),
    );
  expect(await ask("refused", large, 6)).toBe(1);
});

test("somebody who hangs up is waited for no longer", async () => {
  await ask("gone", large);
  const leaving = new AbortController();
  const headers = { "x-project": "gone" };
  const left = Array.from({ length: 5 }, () => fetch(`${url}/?length=${large}`, { headers, signal: leaving.signal }));
  setTimeout(() => leaving.abort(), 15);
  await Promise.allSettled(left);
  // One that was being made may still be.
  expect(await ask("gone", large, 6)).toBeLessThanOrEqual(2);
});
