import { expect, test } from "vitest";
import type { Customer } from "../features/customers/index.js";
import type { NewEvent } from "./event.js";
import { consumerOf } from "./index.js";
import type { EventName } from "./twins.js";

const customer = { id: "cust_1" } as Customer;
const of = { entity_id: "cust_1" };

// What is wrong here does not compile: `tsc -b` fails where one of these lines is right.
const wrong: NewEvent[] = [
  // @ts-expect-error: no fact has this name
  { type: "customer.sneezed", ...of, data: { customer } },
  // @ts-expect-error: a twin is told, never stored
  { type: "customer.redemption.succeeded", ...of, data: { redemption_id: "r_1", campaign_id: null } },
  // @ts-expect-error: the data of another fact
  { type: "customer.created", ...of, data: { redemption_id: "r_1", campaign_id: null } },
  // @ts-expect-error: half of the data
  { type: "redemption.succeeded", ...of, data: { redemption_id: "r_1" } },
  // @ts-expect-error: more than the data
  { type: "customer.created", ...of, data: { customer, voucher: null } },
];

// @ts-expect-error: a name that nothing is told under
const unknown_name: EventName = "customer.sneezed";

test("an event has the data of its type, and a consumer's events those of the names it asks for", () => {
  const seen: string[] = [];
  const consumer = consumerOf({
    name: "reader",
    names: ["customer.created", "voucher.published"],
    when: "dispatch",
    async take(_tx, events) {
      for (const event of events) {
        seen.push(event.type === "customer.created" ? event.data.customer.id : event.data.publication_id);
        // @ts-expect-error: no such event comes to this one
        if (event.type === "customer.deleted") seen.push("never");
      }
      return undefined;
    },
  });
  expect(consumer.names).toEqual(["customer.created", "voucher.published"]);
  expect([wrong.length, unknown_name]).toEqual([5, "customer.sneezed"]);
});
