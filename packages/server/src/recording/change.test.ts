import { describe, expect, test, vi } from "vitest";
import { aContextApart } from "../../test/harness/database.js";
import { aCreation, waitingIn } from "../events/event.fixtures.js";
import type { Cause } from "../events/index.js";
import type { Tx } from "../platform/db/database.js";
import { StartOver } from "../platform/db/database-errors.js";
import { sql } from "../platform/db/sql.js";
import { change, changeWithin } from "./change.js";
import { insertVersion, readVersion } from "./edits.store.js";
import { part } from "./part.js";

interface Note {
  id: string;
  text: string;
}

async function aPlace() {
  const apart = await aContextApart();
  const { db, context, clock } = apart;
  await db.run(sql`create table notes (project_id text not null, id text not null, text text not null,
    primary key (project_id, id))`);
  // A version is all that is needed of a project here.
  await db.run(sql`alter table project_versions drop constraint project_versions_project_id_fkey`);
  await db.run(sql`alter table catalogue_changes drop constraint catalogue_changes_project_id_fkey`);
  await db.transaction((tx) => insertVersion(tx, "proj_a"));
  const statements: Note[][] = [];
  const insertNotes = (project_id: string, rows: readonly Note[]) => {
    statements.push([...rows]);
    return [
      sql`
      insert into notes (project_id, id, text)
      select ${project_id}, note.id, note.text
        from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ text }) => text)}::text[]) as note (id, text)`,
    ];
  };
  const rung: string[] = [];
  for (const name of ["outbox", "async_actions"]) context.bell.onRing(name, () => rung.push(name));
  const textsIn = async (rows: Promise<{ text: string }[]>) => (await rows).map(({ text }) => text);
  return {
    ...apart,
    notes: part<Note>("notes", "objects", insertNotes, ({ id }) => id),
    statements,
    rung,
    cause: (request_id = "v-1"): Cause => ({
      project_id: "proj_a",
      request_id,
      event_source: { channel: "API" },
      instant: clock.now(),
    }),
    written: () =>
      textsIn(db.many(sql`select notes.text from notes where notes.project_id = 'proj_a' order by notes.id`)),
    told: async () => (await waitingIn(db, "proj_a")).map(({ request_id, name }) => `${request_id} ${name}`).sort(),
    edits: () =>
      textsIn(
        db.many(sql`
        select catalogue_changes.kind || ' ' || catalogue_changes.id as text from catalogue_changes
         where catalogue_changes.project_id = 'proj_a' order by text`),
      ),
  };
}

describe("a change", () => {
  test("writes rows, events and edits together, and rings once they can be seen", async () => {
    const place = await aPlace();
    const seen = vi.fn();
    place.context.bell.onRing("async_actions", () => void place.written().then(seen));
    const answer = await change(place.context, place.cause(), async ({ add, tell, edited, ring }) => {
      tell(aCreation("ann"));
      edited({ kind: "campaign", id: "camp_1" });
      ring("async_actions");
      add(place.notes, { id: "1", text: "a" });
      return "done";
    });
    expect(answer).toBe("done");
    expect(await place.written()).toEqual(["a"]);
    expect(await place.told()).toEqual(["v-1 ann"]);
    expect(await place.edits()).toEqual(["campaign camp_1"]);
    expect(await readVersion(place.db, "proj_a")).toBe(2);
    expect(place.rung.sort()).toEqual(["async_actions", "outbox"]);
    await vi.waitFor(() => expect(seen).toHaveBeenCalledWith(["a"]), 20_000);
  });

  test.each`
    fails                                      | breaks                                         | writes
    ${"the work"}                              | ${async () => Promise.reject(new Error("no"))} | ${() => []}
    ${"what looks at what its statements say"} | ${async () => undefined}                       | ${() => () => Promise.reject(new Error("no"))}
    ${"a statement that goes with the COMMIT"} | ${async () => undefined}                       | ${() => [sql`do 'begin raise ''no''; end'`]}
  `("of which $fails fails leaves nothing, and nothing rings", async ({ breaks, writes }) => {
    const place = await aPlace();
    const broken = part<Note>("z broken", "shared", writes);
    const made = change(place.context, place.cause(), async ({ add, tell, edited, ring }) => {
      add(place.notes, { id: "1", text: "a" });
      tell(aCreation("ann"));
      edited({ kind: "campaign", id: "camp_1" });
      ring("async_actions");
      await breaks();
      add(broken, { id: "2", text: "b" });
    });
    await expect(made).rejects.toThrow("no");
    expect(await place.written()).toEqual([]);
    expect(await place.told()).toEqual([]);
    expect(await place.edits()).toEqual([]);
    expect(await readVersion(place.db, "proj_a")).toBe(1);
    expect(place.rung).toEqual([]);
  });

  test("says what could not be made of its rows, whatever was sent before", async () => {
    const place = await aPlace();
    const refusing = part<Note>("refusing", "objects", () => () => Promise.reject(new Error("heard of later")));
    const unmade = part<Note>("unmade", "books", () => {
      throw new Error("cannot be made");
    });
    const made = change(place.context, place.cause(), async ({ add }) => {
      for (const one of [place.notes, refusing, unmade]) add(one, { id: "1", text: "a" });
    });
    await expect(made).rejects.toThrow("cannot be made");
    expect(await place.written()).toEqual([]);
  });

  test("makes its answer while it commits, of what is read once it has", async () => {
    const place = await aPlace();
    await place.db.run(
      sql`create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(0.3); return null; end'`,
    );
    await place.db.run(sql`create constraint trigger dawdling after insert on notes deferrable initially deferred
      for each row execute function dawdle()`);
    const notes = sql`select notes.text from notes where notes.project_id = 'proj_a'`;
    const answer = await change(
      place.context,
      place.cause(),
      async ({ add }) => add(place.notes, { id: "1", text: "a" }),
      async (_, behind) => {
        const [there, here] = await Promise.all([place.written(), behind.many(notes)]);
        return { at_first: there, at_last: here };
      },
    );
    expect(answer).toEqual({ at_first: [], at_last: [{ text: "a" }] });
  });

  test("that does not commit says why, whatever its answer would have been", async () => {
    const place = await aPlace();
    const broken = part<Note>("broken", "shared", () => [sql`do 'begin raise ''no''; end'`]);
    const render = vi.fn(() => Promise.reject(new Error("never asked for")));
    const made = change(
      place.context,
      place.cause(),
      async ({ add, tx }) => {
        // BEGIN is answered by then, and what fails goes out with the COMMIT.
        await tx.run(sql`select from notes where notes.project_id = 'proj_a'`);
        add(broken, { id: "1", text: "a" });
      },
      render,
    );
    await expect(made).rejects.toThrow("no");
    expect(render).toHaveBeenCalledTimes(1);
  });

  test("that starts over forgets what its earlier try has collected", async () => {
    const place = await aPlace();
    let tries = 0;
    await change(place.context, place.cause(), async ({ add, tell, edited, ring }) => {
      tries += 1;
      add(place.notes, { id: `${tries}`, text: `try ${tries}` });
      tell(aCreation(`try ${tries}`));
      edited({ kind: "campaign", id: `camp_${tries}` });
      if (tries === 1) {
        ring("async_actions");
        throw new StartOver("once more");
      }
    });
    expect(await place.written()).toEqual(["try 2"]);
    expect(await place.told()).toEqual(["v-1 try 2"]);
    expect(await place.edits()).toEqual(["campaign camp_2"]);
    expect(place.rung).toEqual(["outbox"]);
  });

  test("of several requests goes out as one statement a part, and each is told in its own name", async () => {
    const place = await aPlace();
    await change(place.context, place.cause("v-1"), async (first) => {
      const second = first.causedBy(place.cause("v-2"));
      first.add(place.notes, { id: "1", text: "a" });
      second.add(place.notes, { id: "2", text: "b" });
      first.tell(aCreation("ann"));
      second.tell(aCreation("bob"));
    });
    expect(place.statements).toEqual([
      [
        { id: "1", text: "a" },
        { id: "2", text: "b" },
      ],
    ]);
    expect(await place.told()).toEqual(["v-1 ann", "v-2 bob"]);
  });

  test("writes of several rows with one key the last", async () => {
    const place = await aPlace();
    await change(place.context, place.cause(), async ({ add }) => {
      add(place.notes, { id: "1", text: "before" }, { id: "2", text: "b" });
      add(place.notes, { id: "1", text: "after" });
    });
    expect(await place.written()).toEqual(["after", "b"]);
  });

  test("rings for nobody where nothing was told", async () => {
    const place = await aPlace();
    await change(place.context, place.cause(), async ({ add }) => add(place.notes, { id: "1", text: "a" }));
    expect(place.rung).toEqual([]);
  });

  test("within somebody else's transaction is there when that one commits, and not when it does not", async () => {
    const place = await aPlace();
    const note = (id: string) => async (tx: Tx) => {
      await changeWithin(tx, async (changeBy) => {
        const { add, tell } = changeBy(place.cause());
        add(place.notes, { id, text: id });
        tell(aCreation(id));
      });
      if (id === "lost") throw new Error("no");
    };
    await expect(place.db.transaction(note("lost"))).rejects.toThrow("no");
    await place.db.transaction(note("kept"));
    expect(await place.written()).toEqual(["kept"]);
    expect(await place.told()).toEqual(["v-1 kept"]);
  });
});
