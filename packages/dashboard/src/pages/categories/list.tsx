import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Answer, refusalAt } from "../../api/answer.js";
import { Refused } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
import { fieldPart } from "../../parts/editing/clash.js";
import { useEditing } from "../../parts/editing/editing.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import { Check, TextField } from "../../ui/field.js";
import { Card, PageHead, State } from "../../ui/page.js";
import { type RowAction, RowMenu } from "../../ui/row-menu.js";
import { Clip } from "../../ui/table/clip.js";
import { Table } from "../../ui/table/table.js";
import { type Category, categoriesQuery, readCategory, useCategoryDeeds } from "./categories.queries.js";

const words = t.categories;

/** What is open over the list: a new category, one that is edited, one that is deleted. */
type Asked = { deed: "add" } | { deed: "edit" | "remove"; category: Category } | null;

/** How campaigns and vouchers are sorted: the lower, the earlier. */
export function Categories() {
  const project = useProject();
  const categories = useQuery(categoriesQuery(project));
  const [asked, setAsked] = useState<Asked>(null);
  const add = project.may("categories.create") && (
    <Button kind="primary" icon="plus" onClick={() => setAsked({ deed: "add" })}>
      {words.add}
    </Button>
  );
  const close = () => setAsked(null);
  const last = categories.data?.at(-1)?.hierarchy;
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {categories.data?.length !== 0 && add}
      </PageHead>
      <Card flush>
        <Answer of={categories} what={words.title}>
          {(list) =>
            list.length === 0 ? (
              <State icon="tag" title={words.none}>
                {words.none_lead}
                {add}
              </State>
            ) : (
              <CategoryTable of={list} onAsk={setAsked} />
            )
          }
        </Answer>
      </Card>
      {asked?.deed === "add" && <Fields of={null} next={last === undefined ? 0 : last + 1} onClose={close} />}
      {asked?.deed === "edit" && <Fields of={asked.category} next={0} onClose={close} />}
      {asked?.deed === "remove" && <Removal of={asked.category} onClose={close} />}
    </>
  );
}

function CategoryTable({ of, onAsk }: { of: readonly Category[]; onAsk: (asked: Asked) => void }) {
  const { may, dates } = useProject();
  const actionsOf = (category: Category): RowAction[] => [
    ...(may("categories.update")
      ? [{ label: words.edit, icon: "pencil" as const, onClick: () => onAsk({ deed: "edit", category }) }]
      : []),
    ...(may("categories.delete")
      ? [
          {
            label: words.remove,
            icon: "trash" as const,
            danger: true,
            onClick: () => onAsk({ deed: "remove", category }),
          },
        ]
      : []),
  ];
  return (
    <Table
      label={words.title}
      rows={of}
      keyOf={({ id }) => id}
      columns={[
        { name: words.name, cell: ({ name }) => <Clip strong>{name}</Clip> },
        { name: words.hierarchy, align: "right", cell: ({ hierarchy }) => hierarchy },
        { name: words.created, cell: ({ created_at }) => dates.day(created_at) },
        {
          name: words.actions,
          hidden_name: true,
          align: "right",
          cell: (category) => <RowMenu label={words.actions_of(category.name)} actions={actionsOf(category)} />,
        },
      ]}
    />
  );
}

interface CategoryForm {
  name: string;
  hierarchy: string;
}

const parts = [
  fieldPart<CategoryForm, "name">("name", words.name),
  fieldPart<CategoryForm, "hierarchy">("hierarchy", words.hierarchy),
];

function Fields({ of, next, onClose }: { of: Category | null; next: number; onClose: () => void }) {
  const project = useProject();
  const { save } = useCategoryDeeds();
  const { form, set, sent, submit, is_saving, error, clash } = useEditing<Category, CategoryForm, void>({
    of,
    formOf: (category) => ({ name: category?.name ?? "", hierarchy: String(category?.hierarchy ?? next) }),
    read: (category) => readCategory(project, category),
    parts: () => parts,
    write: (before, { name, hierarchy }) => save(before, { name: name.trim(), hierarchy: Number(hierarchy) }),
    onSaved: onClose,
  });
  const faults = {
    name: form.name.trim() === "" ? words.name_missing : undefined,
    hierarchy: /^\d{1,9}$/.test(form.hierarchy.trim()) ? undefined : words.hierarchy_bad,
  };
  const refusal = refusalAt(error, ["name", "hierarchy"]);
  return (
    <>
      <FormDialog
        title={of ? words.edit_title(of.name) : words.add}
        submit={of ? t.states.save : words.create}
        busy={is_saving}
        error={refusal.above}
        onSubmit={() => submit(!faults.name && !faults.hierarchy)}
        onClose={onClose}
      >
        <TextField
          label={words.name}
          dir="auto"
          value={form.name}
          onChange={(name) => set({ name })}
          error={(sent ? faults.name : undefined) ?? refusal.at("name")}
        />
        <TextField
          label={words.hierarchy}
          inputMode="numeric"
          hint={words.hierarchy_hint}
          value={form.hierarchy}
          onChange={(hierarchy) => set({ hierarchy })}
          error={(sent ? faults.hierarchy : undefined) ?? refusal.at("hierarchy")}
        />
      </FormDialog>
      {clash}
    </>
  );
}

/** Stacking rules that name it keep it, unless somebody says that they shall not. */
function Removal({ of, onClose }: { of: Category; onClose: () => void }) {
  const { remove } = useCategoryDeeds();
  const [everywhere, setEverywhere] = useState(false);
  const is_in_use = remove.error instanceof Refused && remove.error.key === "resource_in_use";
  return (
    <DangerDialog
      deed={remove}
      title={words.remove_title(of.name)}
      submit={words.remove_submit}
      onSubmit={() => remove.mutate({ of, everywhere }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{words.remove_lead}</p>
      {(is_in_use || everywhere) && <Check label={words.remove_rules} checked={everywhere} onChange={setEverywhere} />}
    </DangerDialog>
  );
}
