import { describe, expect, test } from "vitest";
import { aContextApart } from "../../test/harness/database.js";
import type { Customer } from "../features/customers/index.js";
import type { VoucherRow } from "../features/vouchers/index.js";
import { sql } from "../platform/db/sql.js";
import { runDue } from "../platform/jobs/loop.js";
import { consumerOf } from "./dispatch/consumer.js";
import { createDispatcher } from "./dispatch/dispatcher.js";
import { inboxWork } from "./dispatch/inbox.js";
import { happen } from "./event.fixtures.js";
import { eventIdPrefix, type NewEvent } from "./event.js";
import { type EventName, idUnder, twins } from "./twins.js";

const published: NewEvent = {
  type: "publication.succeeded",
  entity_id: "pub_1",
  customer_id: "cust_1",
  data: {
    publication_id: "pub_1",
    campaign_id: null,
    voucher: { id: "v_1", code: "SPRING" } as VoucherRow,
    customer: { id: "cust_1" } as Customer,
  },
};
const deletedOf = (holder_id: string | null): NewEvent => ({
  type: "voucher.deleted",
  entity_id: "v_1",
  customer_id: holder_id,
  data: { voucher: { id: "v_1", code: "SPRING" } as VoucherRow },
});

/** What a consumer of these names is told when this happens, and how many rows that took. */
async function toldOf(names: readonly EventName[], event: NewEvent, when: "dispatch" | "inbox" = "dispatch") {
  const { context, db, clock } = await aContextApart();
  const cause = { project_id: "proj_a", request_id: "v-1", event_source: { channel: "API" as const } };
  await db.transaction((tx) => happen(tx, { ...cause, instant: clock.now() }, [event]));
  const told: string[] = [];
  const ids = new Set<string>();
  const consumer = consumerOf({
    name: "reader",
    names,
    when,
    async take(_tx, events) {
      told.push(...events.map(({ type, entity_id }) => `${type} of ${entity_id}`));
      for (const { id } of events) ids.add(id);
      return undefined;
    },
  });
  await createDispatcher(context, [consumer]).dispatch();
  const { rows } = await db.one<{ rows: number }>(
    sql`select count(*) as rows from inbox where inbox.project_id = 'proj_a'`,
  );
  await runDue(context, [inboxWork(context, consumer)], clock.now());
  const { stored } = await db.one<{ stored: number }>(
    sql`select count(*) as stored from events where events.project_id = 'proj_a'`,
  );
  return { told, stored, ids: ids.size, waited: rows };
}

describe("one fact is one event", () => {
  test.each`
    names                                                      | told
    ${["publication.succeeded"]}                               | ${["publication.succeeded of pub_1"]}
    ${["voucher.published"]}                                   | ${["voucher.published of v_1"]}
    ${["customer.publication.succeeded"]}                      | ${["customer.publication.succeeded of cust_1"]}
    ${["customer.publication.succeeded", "voucher.published"]} | ${["voucher.published of v_1", "customer.publication.succeeded of cust_1"]}
    ${["voucher.deleted"]}                                     | ${[]}
  `(
    "a publication is told to whoever asks for $names under these names, and for what they are about",
    async ({ names, told }) => {
      expect(await toldOf(names, published)).toMatchObject({ told, stored: 1 });
    },
  );

  test("it waits once for a consumer, whatever number of names that one asks for", async () => {
    const names = ["publication.succeeded", "voucher.published", "customer.publication.succeeded"] as const;
    const { told, ids, waited } = await toldOf(names, published, "inbox");
    expect(told).toHaveLength(3);
    expect({ ids, waited }).toEqual({ ids: 1, waited: 1 });
  });

  test("a customer's twin is told of a customer, and of nobody where there is none", async () => {
    const names = ["customer.voucher.deleted"] as const;
    expect((await toldOf(names, deletedOf("cust_1"))).told).toEqual(["customer.voucher.deleted of cust_1"]);
    expect((await toldOf(names, deletedOf(null))).told).toEqual([]);
  });
});

describe("the id of an event", () => {
  const tail = "0123456789abcdefghjkmnpqrst";

  test.each(Object.entries(twins))("%s is another under each name, by which it is known for good", (fact, all) => {
    const id = `${eventIdPrefix(fact)}_${tail}`;
    // Told as another fact is, it is nothing that anybody is told twice.
    const names = [fact, ...all.flatMap(({ name }) => (name in twins ? [] : name))];
    const ids = names.map((name) => idUnder(name, id));
    expect(ids[0]).toBe(id);
    expect(new Set(ids).size).toBe(names.length);
    for (const [i, one] of ids.entries()) expect(one.startsWith(`${eventIdPrefix(names[i] as string)}_`)).toBe(true);
  });

  test("stays as receivers have it from an earlier version", () => {
    expect(idUnder("voucher.published", `evpub_${tail}`)).toBe(`evvou_${tail}-34df`);
    expect(idUnder("customer.rewarded", `evcus_${tail}`)).toBe(`evcus_${tail}`);
  });
});
