import { useState } from "react";
import { refusalAt } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { FormDialog } from "../../ui/dialog.js";
import { TextArea, TextField } from "../../ui/field.js";
import { type CatalogueForm, faultsIn, productChanges, productForm, skuChanges, skuForm } from "./catalogue-form.js";
import { type Product, type Sku, useCatalogueDeeds } from "./products.queries.js";

const words = t.products;

export function EditProduct({ of, onClose }: { of: Product; onClose: () => void }) {
  const project = useProject();
  const { product } = useCatalogueDeeds();
  return (
    <Fields
      of="product"
      title={words.edit_title(of.name ?? of.id)}
      before={productForm(of, project)}
      busy={product.isPending}
      error={product.error}
      onSave={(before, form) =>
        product.mutate({ id: of.id, body: productChanges(before, form, project) }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}

export function EditSku({ of, onClose }: { of: Sku; onClose: () => void }) {
  const project = useProject();
  const { sku } = useCatalogueDeeds();
  return (
    <Fields
      of="sku"
      title={words.edit_title(of.sku ?? of.id)}
      before={skuForm(of, project)}
      busy={sku.isPending}
      error={sku.error}
      onSave={(before, form) => sku.mutate({ of, body: skuChanges(before, form, project) }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

interface FieldsProps {
  of: "product" | "sku";
  title: string;
  /** As it is when the dialog opens. */
  before: CatalogueForm;
  busy: boolean;
  error: Error | null;
  onSave: (before: CatalogueForm, form: CatalogueForm) => void;
  onClose: () => void;
}

function Fields({ of, title, before, busy, error, onSave, onClose }: FieldsProps) {
  const project = useProject();
  const [opened] = useState(before);
  const [form, setForm] = useState(before);
  const [sent, setSent] = useState<CatalogueForm | null>(null);
  const faults = faultsIn(form, of, project);
  const name = of === "sku" ? "sku" : "name";
  const refusal = refusalAt(error, [name, "price", "attributes", "image_url", "metadata"]);
  const field = (one: keyof CatalogueForm) => ({
    value: form[one],
    onChange: (value: string) => setForm({ ...form, [one]: value }),
    // What was refused is said until it is something else.
    error: sent
      ? (faults[one] ?? (sent[one] === form[one] ? refusal.at(one === "name" ? name : one) : undefined))
      : undefined,
  });
  const submit = () => {
    setSent(form);
    if (Object.keys(faults).length === 0) onSave(opened, form);
  };
  return (
    <FormDialog
      title={title}
      submit={t.states.save}
      wide
      busy={busy}
      error={refusal.above}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={words.name} dir="auto" {...field("name")} />
      <TextField label={words.price} optional inputMode="decimal" unit={project.currency} {...field("price")} />
      <TextArea
        label={words.attributes}
        rows={of === "sku" ? 4 : 1}
        mono={of === "sku"}
        hint={of === "product" && words.attributes_hint}
        {...field("attributes")}
      />
      <TextField label={words.image} optional inputMode="url" {...field("image_url")} />
      <TextArea label={words.metadata} rows={5} mono hint={words.metadata_hint} {...field("metadata")} />
    </FormDialog>
  );
}
