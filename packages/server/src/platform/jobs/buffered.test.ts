import { expect, test, vi } from "vitest";
import type { Log } from "../log.js";
import { buffered } from "./buffered.js";

function aBuffer({ chars_max = 100, write = async (_rows: readonly string[]) => {} } = {}) {
  const warned: object[] = [];
  const log = { warn: (what: object) => void warned.push(what) } as unknown as Log;
  const written: (readonly string[])[] = [];
  const buffer = buffered<string>({
    name: "test",
    write: async (rows) => {
      written.push(rows);
      await write(rows);
    },
    sizeOf: (row) => row.length,
    ...{ chars_max, pause_ms: 5, log },
  });
  return { ...buffer, written, warned };
}

test("rows that come within a moment are written together, by themselves", async () => {
  const { add, written } = aBuffer();
  for (const row of ["a", "b", "c"]) add(row);
  expect(written).toEqual([]);
  await vi.waitFor(() => expect(written).toEqual([["a", "b", "c"]]), 20_000);
  add("d");
  await vi.waitFor(() => expect(written).toEqual([["a", "b", "c"], ["d"]]), 20_000);
});

test("what is more than may wait is dropped and counted, and there is room again after a write", async () => {
  const { add, flush, written, warned } = aBuffer({ chars_max: 4 });
  for (const row of ["aa", "bb", "c", "d"]) add(row);
  await flush();
  add("ee");
  await flush();
  expect(written).toEqual([["aa", "bb"], ["ee"]]);
  expect(warned).toEqual([{ name: "test", dropped: 2 }]);
});

test("one write goes at a time, and what comes meanwhile waits within the bound", async () => {
  let goOn = () => {};
  const { add, flush, written, warned } = aBuffer({
    chars_max: 2,
    write: () => new Promise((resolve) => (goOn = resolve)),
  });
  add("a");
  const first = flush();
  await vi.waitFor(() => expect(written).toHaveLength(1), 20_000);
  for (const row of ["b", "c", "d"]) add(row);
  const second = flush();
  expect(written).toEqual([["a"]]);
  goOn();
  await first;
  await vi.waitFor(() => expect(written).toEqual([["a"], ["b", "c"]]), 20_000);
  goOn();
  await second;
  expect(warned).toEqual([{ name: "test", dropped: 1 }]);
});

test("rows that cannot be written are lost, and the next ones are not", async () => {
  let fails = true;
  const { add, flush, written, warned } = aBuffer({
    write: async () => {
      if (fails) throw new Error("away");
    },
  });
  add("a");
  await flush();
  fails = false;
  add("b");
  await flush();
  expect(written).toEqual([["a"], ["b"]]);
  expect(warned).toMatchObject([{ name: "test", lost: 1 }]);
});
