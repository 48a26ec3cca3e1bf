import { describe, expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import type { Context } from "../platform/context.js";
import { sql } from "../platform/db/sql.js";
import { beginNow, findWalks, startWalks, type UnderWay, type WalkKind, walking, walkOn } from "./index.js";

const service = await startService();
const { context, clock } = service;
const { db } = context;
await db.run(sql`create table walked (project text, id text, request_id text)`);

/** Objects `a` to `h`, of which a slice writes down those that it is done to. */
const objects = [..."abcdefgh"];
const aKind = (more: { fails?: (ids: readonly string[]) => boolean; size_max?: number } = {}) => {
  const kind: WalkKind<{ after: string }, null> = {
    name: `letters ${Math.random()}`,
    size_max: more.size_max ?? 4,
    begin: beginNow,
    async slice({ change: { tx, cause }, walk: { project_id, state, size } }) {
      const ids = objects.filter((id) => id > state.after).slice(0, size);
      const last = ids.at(-1);
      if (last === undefined) return "over";
      return {
        ids,
        async run() {
          for (const id of ids) {
            await tx.run(
              sql`insert into walked (project, id, request_id) values (${project_id}, ${id}, ${cause.request_id})`,
            );
          }
          if (more.fails?.(ids)) throw new Error("it fails");
        },
        next: { state: { after: last } },
      };
    },
  };
  return kind;
};

const silent = { ...context, log: { ...context.log, error() {} } } as Context;

async function aProject() {
  const { id } = await service.anotherProject();
  return {
    id,
    begin: (kind: ReturnType<typeof aKind>, under_way: UnderWay = "begin anew", subject_id = "") =>
      db.transaction((tx) =>
        startWalks(
          tx,
          kind,
          [{ project_id: id, subject_id, request_id: "req-1", state: { after: "" }, due_at: clock.now() }],
          under_way,
        ),
      ),
    walk: (kind: ReturnType<typeof aKind>) => walkOn(silent, kind, clock.now(), [id]),
    walkAll: async (kind: ReturnType<typeof aKind>) => {
      while (await walking(kind).runDue(silent, clock.now(), [id]));
    },
    walked: async () =>
      (
        await db.many<{ id: string }>(
          sql`select walked.id from walked where walked.project = ${id} order by walked.ctid`,
        )
      )
        .map((row) => row.id)
        .join(""),
  };
}

describe("a walk", () => {
  test("goes over all objects in slices, in the name of the request that caused it, and is over then", async () => {
    const [project, kind] = [await aProject(), aKind()];
    await project.begin(kind);
    expect(await project.walk(kind)).toBe(true);
    expect(await project.walked()).toBe("abcd");
    await project.walkAll(kind);
    expect(await project.walked()).toBe("abcdefgh");
    expect(await findWalks(db, kind.name, project.id, [""])).toEqual([]);
    const [row] = await db.many<{ request_id: string }>(
      sql`select distinct walked.request_id from walked where walked.project = ${project.id}`,
    );
    expect(row?.request_id).toBe("req-1");
  });

  test("that several go is done once, each slice by one of them", async () => {
    const [project, kind] = [await aProject(), aKind({ size_max: 1 })];
    await project.begin(kind);
    await Promise.all([1, 2, 3, 4].map(() => project.walkAll(kind)));
    await project.walkAll(kind);
    expect([...(await project.walked())].sort().join("")).toBe("abcdefgh");
  });

  test("whose process dies in a slice does that slice again, and no other", async () => {
    const [project, kind] = [await aProject(), aKind()];
    await project.begin(kind);
    await project.walk(kind);
    const transaction = ((work: (tx: never) => Promise<unknown>) =>
      db.transaction(async (tx) => {
        await work(tx as never);
        throw new Error("killed");
      })) as typeof db.transaction;
    await walkOn({ ...silent, db: { ...db, transaction } }, kind, clock.now(), [project.id]);
    expect(await project.walked()).toBe("abcd");
    await project.walkAll(kind);
    expect(await project.walked()).toBe("abcdefgh");
  });

  test("that fails for one object does all the others, and passes over that one alone", async () => {
    const [project, kind] = [await aProject(), aKind({ fails: (ids) => ids.includes("c") })];
    await project.begin(kind);
    await project.walkAll(kind);
    expect(await project.walked()).toBe("ab");
    // Were it all of them, somebody would have a second for each to mend it.
    clock.advance({ ms: 1_000 });
    await project.walkAll(kind);
    expect(await project.walked()).toBe("abdefgh");
  });

  test("whose next slice cannot be found waits a minute, and holds up no other", async () => {
    const project = await aProject();
    const kind = { ...aKind(), slice: () => Promise.reject(new Error("no slice")) };
    await project.begin(kind);
    expect(await project.walk(kind)).toBe(true);
    expect(await project.walk(kind)).toBe(false);
    clock.advance({ minutes: 1 });
    expect(await project.walk(kind)).toBe(true);
  });

  test("that is begun while one is under way begins anew, or lets that one go on", async () => {
    const [project, kind] = [await aProject(), aKind()];
    await project.begin(kind);
    await project.walk(kind);
    await project.begin(kind, "go on");
    await project.walk(kind);
    expect(await project.walked()).toBe("abcdefgh");
    await project.begin(kind);
    await project.walk(kind);
    expect(await project.walked()).toBe("abcdefghabcd");
  });

  test("takes turns with others of its kind", async () => {
    const [project, kind] = [await aProject(), aKind()];
    await project.begin(kind, "begin anew", "one");
    await project.begin(kind, "begin anew", "two");
    await project.walk(kind);
    clock.advance({ ms: 1 });
    await project.walk(kind);
    const walks = await findWalks<{ after: string }>(db, kind.name, project.id, ["one", "two"]);
    expect(walks.map(({ state }) => state.after)).toEqual(["d", "d"]);
  });
});
