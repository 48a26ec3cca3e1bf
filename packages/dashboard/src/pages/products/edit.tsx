import { refusalAt } from "../../api/answer.js";
import { type Project, useProject } from "../../api/project.js";
import { useEditing } from "../../parts/editing/editing.js";
import { t } from "../../text/index.js";
import { FormDialog } from "../../ui/dialog.js";
import { TextArea, TextField } from "../../ui/field.js";
import {
  type CatalogueForm,
  catalogueParts,
  faultsIn,
  productChanges,
  productForm,
  skuChanges,
  skuForm,
} from "./catalogue-form.js";
import { type Product, productQuery, readSku, type Sku, useCatalogueSaves } from "./products.queries.js";

const words = t.products;

export function EditProduct({ of, onClose }: { of: Product; onClose: () => void }) {
  const project = useProject();
  const { product, onSaved } = useCatalogueSaves();
  return (
    <Fields
      kind="product"
      title={words.edit_title(of.name ?? of.id)}
      of={of}
      formOf={productForm}
      read={() => project.queries.fetchQuery({ ...productQuery(project, of.id), staleTime: 0 })}
      write={async (before, form) => {
        const { name } = await product(of, productChanges(productForm(before, project), form, project));
        await onSaved(name ?? of.id);
      }}
      onClose={onClose}
    />
  );
}

export function EditSku({ of, onClose }: { of: Sku; onClose: () => void }) {
  const project = useProject();
  const { sku: save, onSaved } = useCatalogueSaves();
  return (
    <Fields
      kind="sku"
      title={words.edit_title(of.sku ?? of.id)}
      of={of}
      formOf={skuForm}
      read={() => readSku(project, of)}
      write={async (before, form) => {
        const { sku } = await save(of, skuChanges(skuForm(before, project), form, project));
        await onSaved(sku ?? of.id);
      }}
      onClose={onClose}
    />
  );
}

interface FieldsProps<Thing> {
  kind: "product" | "sku";
  title: string;
  of: Thing;
  formOf: (thing: Thing, project: Project) => CatalogueForm;
  read: () => Promise<Thing>;
  write: (before: Thing, form: CatalogueForm) => Promise<void>;
  onClose: () => void;
}

function Fields<Thing>({ kind, title, of, formOf, read, write, onClose }: FieldsProps<Thing>) {
  const project = useProject();
  const { form, set, sent, submit, is_saving, error, clash } = useEditing<Thing, CatalogueForm, void>({
    of,
    formOf: (thing) => formOf(thing ?? of, project),
    read,
    parts: catalogueParts,
    write: (before, form) => write(before ?? of, form),
    onSaved: onClose,
  });
  const faults = faultsIn(form, kind, project);
  const name = kind === "sku" ? "sku" : "name";
  const refusal = refusalAt(error, [name, "price", "attributes", "image_url", "metadata"]);
  const field = (one: keyof CatalogueForm) => ({
    value: form[one],
    onChange: (value: string) => set({ [one]: value }),
    // What was refused is said until it is something else.
    error: sent
      ? (faults[one] ?? (sent[one] === form[one] ? refusal.at(one === "name" ? name : one) : undefined))
      : undefined,
  });
  return (
    <>
      <FormDialog
        title={title}
        submit={t.states.save}
        wide
        busy={is_saving}
        error={refusal.above}
        onSubmit={() => submit(Object.keys(faults).length === 0)}
        onClose={onClose}
      >
        <TextField label={words.name} dir="auto" {...field("name")} />
        <TextField label={words.price} optional inputMode="decimal" unit={project.currency} {...field("price")} />
        <TextArea
          label={words.attributes}
          rows={kind === "sku" ? 4 : 1}
          mono={kind === "sku"}
          hint={kind === "product" && words.attributes_hint}
          {...field("attributes")}
        />
        <TextField label={words.image} optional inputMode="url" {...field("image_url")} />
        <TextArea label={words.metadata} rows={5} mono hint={words.metadata_hint} {...field("metadata")} />
      </FormDialog>
      {clash}
    </>
  );
}
