import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Unavailable } from "./db/database-errors.js";
import { createLog } from "./log.js";

test("what fails because the database is away is told in one line a second with a count, and everything else as it comes", async () => {
  const lines: { msg: string; count?: number; reason?: string; cause?: string }[] = [];
  const log = createLog("warn", { write: (line) => lines.push(JSON.parse(line)) });
  const err = new Unavailable("the database cannot be reached", new Error("nobody listens"));
  const fail = () => log.child({ request_id: "v-1" }).error({ err }, "a request failed");
  for (let i = 0; i < 1000; i += 1) fail();
  log.warn({ err: new Error("another") }, "something else");
  log.warn("a text");
  const texts = () => lines.map(({ msg, count }) => [msg, count]);
  expect(texts()).toEqual([
    ["the database is away", 1],
    ["something else", undefined],
    ["a text", undefined],
  ]);
  expect(lines[0]).toMatchObject({ reason: "the database cannot be reached", cause: "Error: nobody listens" });
  await pause(1_200);
  expect(texts().slice(3)).toEqual([["the database is away", 999]]);
  await pause(1_200);
  expect(lines).toHaveLength(4);
  fail();
  expect(texts().slice(4)).toEqual([["the database is away", 1]]);
});
