import type { Schemas } from "../../api/client.js";
import type { Customer } from "../../api/people.js";
import { changedKeys, objectIn } from "../../api/values.js";
import { fieldPart, type Parts } from "../../parts/editing/clash.js";
import { metadataParts } from "../../parts/editing/metadata-parts.js";
import { t } from "../../text/index.js";

const words = t.customers;

export const address_fields = ["line_1", "line_2", "postal_code", "city", "state", "country"] as const;
type AddressField = (typeof address_fields)[number];
export const own_fields = ["name", "email", "phone", "description"] as const;

/** A customer as they are typed. */
export type CustomerForm = Record<(typeof own_fields)[number] | AddressField | "metadata", string>;

export function customerForm({ name, email, phone, description, address, metadata }: Customer): CustomerForm {
  const { line_1, line_2, postal_code, city, state, country } = address ?? {};
  const parts = { name, email, phone, description, line_1, line_2, postal_code, city, state, country };
  const typed = Object.fromEntries(Object.entries(parts).map(([field, value]) => [field, value ?? ""]));
  return { ...(typed as Omit<CustomerForm, "metadata">), metadata: JSON.stringify(metadata, null, 2) };
}

/** What others may change of them meanwhile. */
export const customerParts: Parts<CustomerForm> = (forms) => [
  ...own_fields.map((field) => fieldPart<CustomerForm, typeof field>(field, words[field])),
  ...address_fields.map((field) => fieldPart<CustomerForm, AddressField>(field, words.address_fields[field])),
  ...metadataParts<CustomerForm>(words.metadata)(forms),
];

/**
 * What somebody has changed, and nothing else: what another person has saved meanwhile in other fields stays. An address is sent whole, as
 * the service takes it.
 */
export function customerChanges(before: CustomerForm, form: CustomerForm): Schemas["CustomerUpdate"] {
  const isOther = (field: keyof CustomerForm) => form[field] !== before[field];
  const text = (field: keyof CustomerForm) => (form[field].trim() === "" ? null : form[field].trim());
  const address = Object.fromEntries(address_fields.map((field) => [field, text(field)]));
  const is_empty = Object.values(address).every((value) => value === null);
  return {
    ...Object.fromEntries(own_fields.filter(isOther).map((field) => [field, text(field)])),
    ...(address_fields.some(isOther) && { address: is_empty ? null : address }),
    ...(isOther("metadata") && { metadata: changedKeys(objectIn(before.metadata), objectIn(form.metadata)) }),
  };
}
