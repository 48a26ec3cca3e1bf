import { reasonIn } from "../../../api/answer.js";
import { useProject } from "../../../api/project.js";
import { t } from "../../../text/index.js";
import { Button } from "../../../ui/button.js";
import { Card, Notice } from "../../../ui/page.js";
import { RowMenu } from "../../../ui/row-menu.js";
import { type Column, Table } from "../../../ui/table/table.js";
import { toast } from "../../../ui/toast.js";
import { limitWords, typeWords } from "./definition.js";
import styles from "./metadata.module.css";
import { type Definition, type Schema, useSchemaDeeds } from "./metadata.queries.js";

const words = t.metadata;

/** What somebody wants to do, and to which property. */
export type Asked =
  | { deed: "make" | "clear" | "purge" }
  | { deed: "edit"; name: string; definition: Definition }
  | { deed: "purge"; name: string };

interface Row {
  name: string;
  definition: Definition;
}

interface PropertiesProps {
  rows: readonly Row[];
  object: string;
  schema: Schema | undefined;
  ask: (asked: Asked) => void;
}

/** Removes a definition and brings it back: nothing is lost by either, so neither asks. */
function useRemoval(object: string, schema: Schema | undefined) {
  const { remove } = useSchemaDeeds(object, schema);
  const put = (name: string, deleted: boolean) =>
    remove.mutate(
      { name, deleted },
      {
        onSuccess: () => toast(deleted ? words.was_removed(name) : words.was_restored(name), () => put(name, !deleted)),
      },
    );
  return { remove, put };
}

const what: readonly Column<Row>[] = [
  { name: words.name, cell: ({ name }) => <code className={styles.name}>{name}</code> },
  {
    name: words.type,
    cell: ({ definition }) => (
      <>
        {typeWords(definition)}
        <small>{limitWords(definition)}</small>
      </>
    ),
  },
];

/** What is checked whenever metadata comes in. */
export function Defined({ rows, object, schema, ask }: PropertiesProps) {
  const { may } = useProject();
  const { remove, put } = useRemoval(object, schema);
  return (
    <>
      {remove.error && <Notice>{reasonIn(remove.error)}</Notice>}
      <Table
        label={words.properties}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          ...what,
          { name: words.required, cell: ({ definition }) => (definition.optional ? words.may_miss : words.must_be) },
          {
            name: words.actions,
            hidden_name: true,
            align: "right",
            cell: (row) =>
              may("metadata-schemas.update") && (
                <RowMenu
                  label={words.actions_of(row.name)}
                  actions={[
                    { label: words.edit, icon: "pencil", onClick: () => ask({ deed: "edit", ...row }) },
                    { label: words.remove, icon: "trash", danger: true, onClick: () => put(row.name, true) },
                  ]}
                />
              ),
          },
        ]}
      />
    </>
  );
}

/** What is checked no more; its values stay in what has them until somebody purges them. */
export function Removed({ rows, object, schema, ask, may_purge }: PropertiesProps & { may_purge: boolean }) {
  const { may } = useProject();
  const { remove, put } = useRemoval(object, schema);
  const another = may_purge && (
    <Button size="small" onClick={() => ask({ deed: "purge" })}>
      {words.purge_another}
    </Button>
  );
  return (
    <Card title={words.removed} note={rows.length > 0 ? words.removed_note : undefined} action={another} flush>
      {remove.error && <Notice>{reasonIn(remove.error)}</Notice>}
      {rows.length === 0 ? (
        <p className={styles.empty}>{words.none_removed}</p>
      ) : (
        <Table
          label={words.removed}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            ...what,
            {
              name: words.actions,
              hidden_name: true,
              align: "right",
              cell: (row) => (
                <RowMenu
                  label={words.actions_of(row.name)}
                  actions={[
                    ...(may("metadata-schemas.update")
                      ? [{ label: words.restore, icon: "arrowBackUp" as const, onClick: () => put(row.name, false) }]
                      : []),
                    ...(may_purge
                      ? [
                          {
                            label: words.purge,
                            icon: "trash" as const,
                            danger: true,
                            onClick: () => ask({ deed: "purge", name: row.name }),
                          },
                        ]
                      : []),
                  ]}
                />
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}
