import { useQueryClient } from "@tanstack/react-query";
import { refusalAt } from "../../api/answer.js";
import { bodyOf } from "../../api/client.js";
import { type Customer, customerQuery, nameOf } from "../../api/people.js";
import { useProject } from "../../api/project.js";
import { objectIn } from "../../api/values.js";
import { useEditing } from "../../parts/editing/editing.js";
import { t } from "../../text/index.js";
import { FormDialog } from "../../ui/dialog.js";
import { TextArea, TextField } from "../../ui/field.js";
import { toast } from "../../ui/toast.js";
import { address_fields, type CustomerForm, customerChanges, customerForm, customerParts } from "./customer-form.js";
import styles from "./customers.module.css";

const words = t.customers;
const refusable = ["name", "email", "phone", "description", "address", "metadata"] as const;

/** Who somebody is and where they live, and what a project keeps about them. */
export function EditCustomer({ of, onClose }: { of: Customer; onClose: () => void }) {
  const project = useProject();
  const queries = useQueryClient();
  const params = { path: { customerId: of.id } };
  const { form, set, sent, submit, is_saving, error, clash } = useEditing<Customer, CustomerForm, Customer>({
    of,
    formOf: (customer) => customerForm(customer ?? of),
    read: () => queries.fetchQuery({ ...customerQuery(project, of.id), staleTime: 0 }),
    parts: customerParts,
    write: async (before, form) => {
      const body = customerChanges(customerForm(before ?? of), form);
      return (await bodyOf(project.api.PUT("/v1/customers/{customerId}", { params, body }))) as Customer;
    },
    onSaved: async (customer) => {
      toast(words.saved(nameOf(customer)));
      await queries.invalidateQueries({ queryKey: ["customers"] });
      onClose();
    },
  });
  const metadata_bad = objectIn(form.metadata) === null ? t.products.metadata_bad : undefined;
  const refusal = refusalAt(error, refusable);
  const field = (name: keyof CustomerForm, sent_as?: (typeof refusable)[number]) => ({
    value: form[name],
    onChange: (value: string) => set({ [name]: value }),
    // What was refused is said until it is something else.
    error: sent && sent[name] === form[name] && sent_as ? refusal.at(sent_as) : undefined,
  });
  return (
    <>
      <FormDialog
        title={words.edit_title(nameOf(of))}
        submit={t.states.save}
        wide
        busy={is_saving}
        error={refusal.above}
        onSubmit={() => submit(metadata_bad === undefined)}
        onClose={onClose}
      >
        <TextField label={words.name} optional dir="auto" {...field("name", "name")} />
        <div className={styles.two}>
          <TextField label={words.email} optional inputMode="email" {...field("email", "email")} />
          <TextField label={words.phone} optional inputMode="tel" {...field("phone", "phone")} />
          {address_fields.map((name) => (
            <TextField
              key={name}
              label={words.address_fields[name]}
              optional
              dir="auto"
              {...field(name, name === "line_1" ? "address" : undefined)}
            />
          ))}
        </div>
        <TextArea label={words.description} optional rows={2} {...field("description", "description")} />
        <TextArea
          label={words.metadata}
          rows={5}
          mono
          hint={t.products.metadata_hint}
          {...field("metadata", "metadata")}
          {...(sent && metadata_bad ? { error: metadata_bad } : {})}
        />
      </FormDialog>
      {clash}
    </>
  );
}
