import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { newRequestId } from "../../platform/ids.js";
import { aCreation, happen, nameIn } from "../event.fixtures.js";
import { consumerOf } from "./consumer.js";
import { createDispatcher } from "./dispatcher.js";

const { anotherProject, clock, context } = await startService();
const { db } = context;

/** Somebody who counts, somebody who must know who was made, and a project in which customers are made. */
async function aProject() {
  const { id: project_id } = await anotherProject();
  const counted: unknown[] = [];
  const known: string[] = [];
  const counting = consumerOf({
    name: "counting",
    names: [],
    briefly: ["customer.created"],
    when: "dispatch",
    async take(_tx, events) {
      counted.push(...events.map(({ type, entity_id, created_at }) => [type, entity_id, created_at]));
      return undefined;
    },
  });
  const knowing = consumerOf({
    name: "knowing",
    names: ["customer.created"],
    when: "dispatch",
    async take(_tx, events) {
      known.push(...events.map(nameIn));
      return undefined;
    },
  });
  const cause = () => ({
    project_id,
    request_id: newRequestId(),
    event_source: { channel: "API" as const },
    instant: clock.now(),
  });
  return {
    ...{ project_id, counting, knowing, counted, known },
    happens: (name: string, entity_id: string) =>
      db.transaction((tx) => happen(tx, cause(), [aCreation(name, { entity_id })])),
    dispatch: (...consumers: (typeof counting)[]) =>
      createDispatcher(context, consumers, { project_ids: [project_id] }).dispatch(),
    toldOf: (...ids: string[]) => ids.map((id) => ["customer.created", id, clock.now()]),
  };
}

test("whoever only counts is told what happened, when and to what, and the event is not read for it", async () => {
  const { project_id, counting, counted, happens, dispatch, toldOf } = await aProject();
  await happens("Ann", "cust_1");
  await db.run(sql`delete from events where events.project_id = ${project_id}`);
  expect(await dispatch(counting)).toBe(1);
  expect(counted).toEqual(toldOf("cust_1"));
});

test("is told the same beside somebody who must know more, who is told all of it", async () => {
  const { counting, knowing, counted, known, happens, dispatch, toldOf } = await aProject();
  await happens("Ann", "cust_1");
  await happens("Bob", "cust_2");
  expect(await dispatch(counting, knowing)).toBe(2);
  expect([counted, known.sort()]).toEqual([toldOf("cust_1", "cust_2"), ["Ann", "Bob"]]);
});
