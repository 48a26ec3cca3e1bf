import { describe, expect, test } from "vitest";
import { Unavailable } from "../platform/db/database-errors.js";
import { createLog } from "../platform/log.js";
import { createBatcher } from "./batch.js";

/** Three requests that come together; answers what became of them, and in what company each was recorded. */
async function threeTogether(record: (requests: readonly number[], run: number) => unknown[]) {
  const runs: (readonly number[])[] = [];
  const batcher = createBatcher<number, object>(
    {
      projectOf: () => "project",
      weightOf: () => ({ keys: 1, work: 1 }),
      async record(requests) {
        runs.push(requests);
        return record(requests, runs.length) as object[];
      },
    },
    createLog("silent"),
  );
  const outcomes = await Promise.allSettled([1, 2, 3].map((request) => batcher(request)));
  return { runs, outcomes: outcomes.map(({ status }) => status) };
}

const recorded = (requests: readonly number[]) => requests.map((request) => ({ request }));

describe("requests that share a transaction", () => {
  test("are not recorded again when it could not be learnt whether they were", async () => {
    const { runs, outcomes } = await threeTogether(() => {
      throw new Unavailable("it could not be learnt whether the change was recorded", undefined);
    });
    expect(runs).toEqual([[1, 2, 3]]);
    expect(outcomes).toEqual(["rejected", "rejected", "rejected"]);
  });

  test("are recorded one by one when one of them is refused by the database, and that one alone fails", async () => {
    const { runs, outcomes } = await threeTogether((requests) => {
      if (requests.includes(2)) throw Object.assign(new Error("no"), { code: "22003" });
      return recorded(requests);
    });
    expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(outcomes).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("are recorded once each when one has to wait for the others", async () => {
    const { runs, outcomes } = await threeTogether((requests, run) =>
      run === 1 ? [{ request: 1 }, { deferred: true }, { request: 3 }] : recorded(requests),
    );
    expect(runs).toEqual([[1, 2, 3], [2]]);
    expect(outcomes).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  });
});
