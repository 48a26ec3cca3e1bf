import { newId } from "../../platform/ids.js";
import { type Change, readUnderKeys } from "../../recording/index.js";
import { type AsyncJob, metadataError } from "../async-actions/index.js";
import {
  type ImportKind,
  type ImportTurn,
  importJob,
  type RowOutcome,
  readingFirst,
  Unreadable,
} from "../imports/index.js";
import { changedUntold } from "./customer.events.js";
import { type Customer, type CustomerInput, newCustomer } from "./customer.js";
import { CustomerInputSchema } from "./customer.schemas.js";
import { customer_rows } from "./customer.store.js";
import { customerKeys, findNamedCustomers } from "./named-customer.js";

const address_columns = {
  line_1: "address line 1",
  line_2: "address line 2",
  postal_code: "address postal code",
  city: "address city",
  state: "address state",
  country: "address country",
} as const;

/** `CUSTOMERS.IMPORT_CSV` (vouchers-and-campaigns.md §9.2): each customer is a key (architecture.md §3). */
export const customersCsvImport: ImportKind<CustomerInput> = {
  type: "CUSTOMERS.IMPORT_CSV",
  noun: "customer",
  told_by: "source_id",
  rows: { start: 100, max: 200 },
  csv: {
    columns: [
      ...["id", "source id", "name", "email", "phone", "birthdate", "description"],
      ...Object.values(address_columns),
    ],
    required: [],
    metadata: "customer",
    shape: CustomerInputSchema,
    bodyOf(cells, metadata) {
      const address = Object.entries(address_columns).map(([field, column]) => [field, cells.text(column)]);
      const has_address = address.some(([, cell]) => cell !== undefined);
      const body = {
        id: cells.text("id"),
        source_id: cells.text("source id"),
        name: cells.text("name"),
        email: cells.text("email"),
        phone: cells.text("phone"),
        birthdate: cells.text("birthdate")?.trim(),
        description: cells.text("description"),
        address: has_address ? Object.fromEntries(address) : undefined,
        metadata,
      };
      if (Object.values(body).every((value) => value === undefined)) throw new Unreadable("The row says nothing");
      return body;
    },
  },
  apply: readingFirst(importCustomers),
};

/** Makes customers; one that is there is overwritten wholly, and nobody outside is told (rules.md §18). */
async function importCustomers(
  { tx, add, tell }: Change,
  { project_id, instant, metadata_schemas }: ImportTurn<object>,
  rows: readonly CustomerInput[],
): Promise<RowOutcome[]> {
  const found = await readUnderKeys(
    tx,
    () => findNamedCustomers(tx, project_id, rows),
    (customers) => rows.flatMap((row, i) => customerKeys(project_id, row, customers[i])),
  );
  const by_source_id = new Map<string, Customer>();
  for (const customer of found) if (customer?.source_id) by_source_id.set(customer.source_id, customer);
  return rows.map((row, i): RowOutcome => {
    const known = row.id ? found[i] : by_source_id.get(row.source_id ?? "");
    if (row.id && !known) return { refused: `Cannot find customer with id ${row.id}` };
    const made = newCustomer(known?.id ?? newId("cust"), row, known?.created_at ?? instant);
    const { metadata } = made;
    const error = metadataError(metadata_schemas, "customer", { sent: metadata, merged: metadata, is_made: true });
    if (error) return { refused: error.details };
    const { source_id, system_metadata } = known ?? made;
    const saved = { ...made, source_id, system_metadata, updated_at: known ? instant : null };
    if (saved.source_id) by_source_id.set(saved.source_id, saved);
    add(customer_rows, saved);
    tell(changedUntold(saved.id));
    return { is_new: !known };
  });
}

export const customerImportJobs: readonly AsyncJob[] = [importJob(customersCsvImport)];
