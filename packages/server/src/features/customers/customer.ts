import { isDeepStrictEqual } from "node:util";
import type { Instant } from "../../platform/clock.js";
import type { SimpleCustomer } from "./customer.schemas.js";

interface Address {
  city?: string | null;
  state?: string | null;
  line_1?: string | null;
  line_2?: string | null;
  country?: string | null;
  postal_code?: string | null;
}

/** A customer as stored (rules.md §18). */
export interface Customer {
  id: string;
  source_id: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  description: string | null;
  birthdate: string | null;
  birthday: string | null;
  address: Address | null;
  metadata: Record<string, unknown>;
  system_metadata: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant | null;
}

/** What a caller says of a customer, alone or inside an order, a redemption or an event. */
export interface CustomerInput {
  id?: string | null;
  source_id?: string | null;
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  description?: string | null;
  birthdate?: string | null;
  birthday?: string | null;
  address?: Address | null;
  metadata?: Record<string, unknown> | null;
}

const address_fields = ["city", "state", "line_1", "line_2", "country", "postal_code"] as const;
const profile_fields = ["name", "email", "phone", "description", "birthdate", "birthday", "address"] as const;

/** A customer nobody has stored yet. */
export function newCustomer(id: string, input: CustomerInput, instant: Instant): Customer {
  const empty: Customer = {
    id,
    source_id: input.source_id || null,
    name: null,
    email: null,
    phone: null,
    description: null,
    birthdate: null,
    birthday: null,
    address: null,
    metadata: {},
    system_metadata: {},
    created_at: instant,
    updated_at: null,
  };
  return { ...changed(empty, input), updated_at: null };
}

/** The customer with what was sent laid over it; metadata merges key by key (rules.md §16). */
export function changed(customer: Customer, input: CustomerInput): Customer {
  const sent = Object.fromEntries(
    profile_fields.filter((field) => input[field] !== undefined).map((field) => [field, input[field]]),
  );
  const { address = customer.address } = input;
  return {
    ...customer,
    ...sent,
    address: address && knownAddress(address),
    metadata: { ...customer.metadata, ...input.metadata },
  };
}

/** Fields that nobody knows are passed over, here too (platform.md §11.4). */
function knownAddress(address: Address): Address {
  const sent = address_fields.filter((field) => address[field] !== undefined);
  return Object.fromEntries(sent.map((field) => [field, address[field]]));
}

/** Whether the input says anything that the stored customer does not. */
export function changes(customer: Customer, input: CustomerInput): boolean {
  const after = changed(customer, input);
  // Not as text: the database gives the keys of an object back in an order of its own.
  return [...profile_fields, "metadata" as const].some((field) => !isDeepStrictEqual(after[field], customer[field]));
}

/** The few fields that other objects show of a customer. */
export function toSimpleCustomer({ id, name, email, source_id, metadata }: Customer): SimpleCustomer {
  return { id, name, email, source_id, metadata, object: "customer" };
}
