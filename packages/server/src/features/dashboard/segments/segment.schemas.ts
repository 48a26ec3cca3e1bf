import Type from "typebox";
import { document, integer, named, text } from "../../../platform/http/schema.js";
import { SimpleCustomer } from "../../customers/index.js";

/** The filter of a segment that somebody is about to save. */
export const SegmentFilter = named("SegmentFilter", Type.Object({ filter: document("GUERDON_RULE_BYTES") }));

const named_max = 200;

/** Whom somebody would list in a static segment, as it was pasted. */
export const CustomersNamed = named(
  "CustomersNamed",
  Type.Object({
    names: Type.Array(text({ minLength: 1 }), { maxItems: named_max, description: "Ids or source ids." }),
  }),
);

export const CustomersKnown = named(
  "CustomersKnown",
  Type.Object({
    customers: Type.Array(SimpleCustomer),
    unknown: Type.Array(Type.String(), { description: "The names that nobody has." }),
  }),
);

export const SegmentCount = named(
  "SegmentCount",
  Type.Object({
    held: integer({ minimum: 0, description: "Those of them that the filter holds." }),
    asked: integer({ minimum: 0, description: "Customers that the filter was asked about, the newest." }),
    is_all: Type.Boolean({ description: "Whether these were all customers." }),
    customers: Type.Array(SimpleCustomer, { description: "Some of those that are held." }),
  }),
);
