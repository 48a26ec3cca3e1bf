import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Answer, NotYours } from "../../../api/answer.js";
import { type Project, useProject } from "../../../api/project.js";
import { t } from "../../../text/index.js";
import { Button } from "../../../ui/button.js";
import { FormDialog } from "../../../ui/dialog.js";
import { TextField } from "../../../ui/field.js";
import { Card } from "../../../ui/page.js";
import { type Column, Table } from "../../../ui/table/table.js";
import styles from "./metadata.module.css";
import { type Schema, schemasQuery } from "./metadata.queries.js";
import { isObject, objects } from "./objects.js";

const words = t.metadata;

interface Row {
  name: string;
  schema: Schema | undefined;
}

/** What metadata is kept of which objects: each of the API, and what is nested in them. */
export function MetadataObjects() {
  const project = useProject();
  const may = project.may("metadata-schemas.read");
  const schemas = useQuery({ ...schemasQuery(project), enabled: may });
  const [adding, setAdding] = useState(false);
  if (!may) return <NotYours what={words.title} />;
  const add = project.may("metadata-schemas.create") && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {words.add_nested}
    </Button>
  );
  return (
    <Card title={words.title} note={words.lead} action={add} flush>
      <Answer of={schemas} what={words.title}>
        {(list) => (
          <Table label={words.title} rows={rowsOf(list)} keyOf={({ name }) => name} columns={columnsOf(project)} />
        )}
      </Answer>
      {adding && <NewNested onClose={() => setAdding(false)} />}
    </Card>
  );
}

/** The objects of the API stand first, whether anything is defined of them or not. */
function rowsOf(schemas: readonly Schema[]): Row[] {
  const nested = schemas.map(({ related_object }) => related_object).filter((name) => !isObject(name));
  const schemaOf = (name: string) => schemas.find(({ related_object }) => related_object === name);
  return [...objects, ...nested.sort()].map((name) => ({ name, schema: schemaOf(name) }));
}

const countOf = (schema: Schema | undefined, removed: boolean) =>
  Object.values(schema?.properties ?? {}).filter(({ deleted = false }) => deleted === removed).length;

const columnsOf = ({ id, count }: Project): Column<Row>[] => [
  {
    name: words.object,
    cell: ({ name }) => (
      <>
        <Link to={`/p/${id}/settings/metadata/${encodeURIComponent(name)}`} className={styles.name}>
          {isObject(name) ? words.objects[name] : <code>{name}</code>}
        </Link>
        {!isObject(name) && <small>{words.is_nested}</small>}
        {name === "product" && <small>{words.skus_too}</small>}
      </>
    ),
  },
  {
    name: words.properties,
    align: "right",
    cell: ({ schema }) => {
      const defined = countOf(schema, false);
      return defined > 0 ? count(defined) : <span className={styles.none}>{words.nothing}</span>;
    },
  },
  {
    name: words.removed,
    align: "right",
    cell: ({ schema }) => {
      const removed = countOf(schema, true);
      return removed > 0 && count(removed);
    },
  },
  {
    name: words.other_keys,
    align: "right",
    cell: ({ schema }) => (schema?.allow_defined_only ? words.refused : words.kept),
  },
];

/** A name to begin with; it is there with its first property. */
function NewNested({ onClose }: { onClose: () => void }) {
  const { id } = useProject();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [asked, setAsked] = useState(false);
  const submit = () => {
    setAsked(true);
    if (name.trim() !== "") void navigate({ to: `/p/${id}/settings/metadata/${encodeURIComponent(name.trim())}` });
  };
  return (
    <FormDialog title={words.add_nested} submit={words.go_on} busy={false} onSubmit={submit} onClose={onClose}>
      <TextField
        label={words.name}
        hint={words.nested_name_hint}
        value={name}
        onChange={setName}
        maxLength={255}
        mono
        error={asked && name.trim() === "" ? words.name_missing : undefined}
      />
    </FormDialog>
  );
}
