import { expect, test } from "vitest";
import { aContextApart } from "../../../test/harness/database.js";
import { sql } from "../../platform/db/sql.js";
import { newRequestId } from "../../platform/ids.js";
import { runDue } from "../../platform/jobs/loop.js";
import { aCreation, happen, nameIn, waitingIn } from "../event.fixtures.js";
import { consumerOf } from "./consumer.js";
import { createDispatcher } from "./dispatcher.js";
import { olderOutboxWork } from "./older-outbox.js";

test("what processes of an older version left, an event a row, is told as all else is, and what is gone of it is not", async () => {
  const { context, clock, db } = await aContextApart();
  const told: string[] = [];
  const consumer = consumerOf({
    name: "listener",
    names: ["customer.created"],
    when: "dispatch",
    async take(_tx, events) {
      told.push(...events.map(nameIn));
      return undefined;
    },
  });
  const cause = { project_id: "proj_a", request_id: newRequestId(), event_source: { channel: "API" as const } };
  await db.transaction((tx) =>
    happen(
      tx,
      { ...cause, instant: clock.now() },
      ["a", "b", "gone"].map((name) => aCreation(name)),
    ),
  );
  await db.run(sql`delete from outbox_parcels where outbox_parcels.project_id = 'proj_a'`);
  await db.run(sql`
    insert into outbox (project_id, event_id, created_at)
    select events.project_id, events.id, events.created_at from events where events.project_id = 'proj_a'`);
  await db.run(
    sql`delete from events where events.project_id = 'proj_a' and events.data -> 'customer' ->> 'name' = 'gone'`,
  );
  const { work } = createDispatcher(context, [consumer]);
  await runDue(context, [olderOutboxWork(context), work], clock.now());
  expect(told.sort()).toEqual(["a", "b"]);
  expect(await waitingIn(db, "proj_a")).toEqual([]);
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) as count from outbox where outbox.project_id = 'proj_a'`,
  );
  expect(count).toBe(0);
});
