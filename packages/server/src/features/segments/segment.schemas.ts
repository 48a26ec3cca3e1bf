import Type, { type Static } from "typebox";
import {
  dateTime,
  document,
  filtersQuery,
  Ids,
  integer,
  listOf,
  listQuery,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { segment_types } from "./segment.js";

/** Customers that one static segment may list (platform.md §13). */
const members_max = 100_000;

const filter = () => document("GUERDON_RULE_BYTES");

/** Body of `POST /v1/segments` (rules.md §14). */
export const SegmentCreate = named(
  "SegmentCreate",
  Type.Object({
    name: text({ minLength: 1 }),
    type: oneOf(segment_types),
    filter: Type.Optional(nullable(filter())),
    customers: Type.Optional(Type.Array(text(), { maxItems: members_max, description: "Ids; only of a static one." })),
  }),
);
export type SegmentCreate = Static<typeof SegmentCreate>;

/** Ours: the API makes segments and leaves them as they are. */
export const SegmentUpdate = named(
  "SegmentUpdate",
  Type.Object({
    name: Type.Optional(text({ minLength: 1 })),
    filter: Type.Optional(
      nullable(document("GUERDON_RULE_BYTES", { description: "Of a passive one; null leaves it." })),
    ),
  }),
);
export type SegmentUpdate = Static<typeof SegmentUpdate>;

export const SegmentBody = named(
  "Segment",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: oneOf(segment_types),
    filter: nullable(filter()),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    object: Type.Literal("segment"),
  }),
);
export type SegmentBody = Static<typeof SegmentBody>;

export const SegmentList = named("SegmentList", listOf("data", SegmentBody));

/** The segments of one customer. */
export const CustomerSegmentList = named(
  "CustomerSegmentList",
  listOf("data", Type.Object({ id: Type.String(), name: Type.String(), object: Type.Literal("segment") })),
);

// Without page numbers (rules.md §14).
const { limit, starting_after_id } = listQuery(1);

/** Ours: without a limit a thousand are shown. */
export const CustomerSegmentQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 1,000 unless given." })),
  starting_after_id,
});
export type CustomerSegmentQuery = Static<typeof CustomerSegmentQuery>;

export const SegmentQuery = Type.Object({
  limit,
  starting_after_id,
  order: Type.Optional(oneOf(["created_at", "-created_at"], { description: "Newest first unless given." })),
  ids: Type.Optional(Ids),
  start_date: Type.Optional(dateTime("Segments created since.")),
  end_date: Type.Optional(dateTime("Segments created until.")),
  filters: filtersQuery("id, name, type, created_at"),
});
export type SegmentQuery = Static<typeof SegmentQuery>;

export const SegmentParams = Type.Object({ segmentId: text() });
export const CustomerParams = Type.Object({ customerId: text({ description: "Id or source id." }) });
