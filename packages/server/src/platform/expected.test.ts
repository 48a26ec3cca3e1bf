import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { HistoriesTooLong } from "../deciding/counting/histories.js";
import { KeysTaken } from "./db/transactions/waiting-room.js";
import { problems } from "./http/problems.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

class Reader {
  readonly read = "a catalogue";

  refuse(refusal: () => Error): never {
    throw refusal();
  }
}

function thrownBy(refusal: () => Error) {
  const reader = new Reader();
  const ref = new WeakRef(reader);
  try {
    return { thrown: [1].map(() => reader.refuse(refusal)), ref };
  } catch (thrown) {
    return { thrown, ref };
  }
}

test.each([
  ["a refusal", () => problems.busy("too much")],
  ["a transaction that waits", () => new KeysTaken(["key"])],
  ["a history that is too long", () => new HistoriesTooLong([])],
])("%s holds nothing of what it was thrown in", async (_, refusal) => {
  const { thrown, ref } = thrownBy(refusal);
  await nextTurn();
  collect();
  expect(ref.deref()).toBeUndefined();
  expect(thrown).toBeInstanceOf(Error);
});
