import Type, { type Static } from "typebox";
import { type SingleBody, tracking_id_length_max, ttl_units } from "../../deciding/index.js";
import { problems } from "../../platform/http/problems.js";
import { integer, metadata, named, oneOf, text } from "../../platform/http/schema.js";

const maybeText = () => Type.Optional(text());
const maybeWhole = () => Type.Optional(integer({ minimum: 0 }));
const maybeMetadata = () => Type.Optional(metadata());
const tracked = (description: string) => text({ maxLength: tracking_id_length_max, description });

const Line = named(
  "PageLine",
  Type.Object({
    source_id: maybeText(),
    related_object: Type.Optional(oneOf(["product", "sku"])),
    product_id: maybeText(),
    sku_id: maybeText(),
    quantity: maybeWhole(),
    price: maybeWhole(),
    amount: maybeWhole(),
  }),
);

const Customer = named(
  "PageCustomer",
  Type.Object({
    source_id: Type.Optional(tracked("Or a token of an earlier answer.")),
    metadata: maybeMetadata(),
  }),
);

const code = text({ minLength: 1, description: "Code or id of the voucher; without one the promotions that apply." });

/** Query of `GET /client/v1/validate`, in brackets: `item[0][product_id]=…`, `customer[metadata][plan]=…` (platform.md §5). */
export const ValidateQuery = Type.Object({
  code: Type.Optional(code),
  tracking_id: Type.Optional(tracked("Source id of the customer, or a token of an earlier answer.")),
  amount: Type.Optional(Type.Number({ description: "Of the order, in minor units." })),
  customer: Type.Optional(Type.Union([tracked("Source id."), Customer])),
  item: Type.Optional(Type.Array(Line, { maxItems: 500 })),
  order: Type.Optional(Type.Object({ metadata: maybeMetadata() })),
  metadata: maybeMetadata(),
  session_type: Type.Optional(oneOf(["LOCK"])),
  session_key: Type.Optional(text({ minLength: 1 })),
  session_ttl: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e15 })),
  session_ttl_unit: Type.Optional(oneOf(ttl_units)),
});
export type ValidateQuery = Static<typeof ValidateQuery>;

/** The same question as the older server-side call asks it in its body. */
export function bodyOf(query: ValidateQuery): SingleBody {
  const { tracking_id, amount, item, order, metadata } = query;
  const has_order = amount !== undefined || item !== undefined || order?.metadata !== undefined;
  return {
    tracking_id,
    customer: customerOf(query.customer),
    order: has_order ? { amount, items: item, metadata: read(order?.metadata) } : null,
    session: sessionOf(query),
    metadata: read(metadata),
  };
}

function customerOf(customer: ValidateQuery["customer"]) {
  if (typeof customer === "string") return { source_id: customer };
  if (!customer?.source_id && !customer?.metadata) return null;
  return { source_id: customer.source_id, ...(customer.metadata ? { metadata: read(customer.metadata) } : {}) };
}

function sessionOf({ session_type: type, session_key, session_ttl, session_ttl_unit }: ValidateQuery) {
  if (type) return { type, key: session_key, ttl: session_ttl, ttl_unit: session_ttl_unit };
  const wants_one = session_key !== undefined || session_ttl !== undefined || session_ttl_unit !== undefined;
  if (wants_one) throw problems.invalidQuery("Query should have required property 'session_type'");
  return null;
}

type Metadata = Record<string, unknown>;

/** Metadata has types and a query has none: what reads as a number, or as true or false, is one. */
const read = (metadata: Metadata | undefined): Metadata | undefined => metadata && (typed(metadata) as Metadata);

function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, typed(inner)]));
  }
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" && isNumeral(value) ? Number(value) : value;
}

/** As JSON writes numbers, and so short that none loses a digit: `007` and card numbers stay texts. */
const isNumeral = (text: string) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.length <= 16;
