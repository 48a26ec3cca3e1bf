import { useQuery } from "@tanstack/react-query";
import { reasonIn } from "../../../api/answer.js";
import { useProject } from "../../../api/project.js";
import { useEditing } from "../../../parts/editing/editing.js";
import { t } from "../../../text/index.js";
import { FormDialog } from "../../../ui/dialog.js";
import { Check, SelectField, TextArea, TextField } from "../../../ui/field.js";
import { type Draft, definitionOf, draftOf, draftParts, faultsOf, typesFor } from "./definition.js";
import styles from "./metadata.module.css";
import { type Defined, type Definition, type Schema, schemasQuery, useDefinition } from "./metadata.queries.js";
import { isObject } from "./objects.js";

const words = t.metadata;

interface PropertyFormProps {
  object: string;
  schema: Schema | undefined;
  /** The one that is changed; its name and its type stay. */
  of?: { name: string; definition: Definition } | undefined;
  onClose: () => void;
}

/** A new property of an object's metadata, or what can be changed of one. */
export function PropertyForm({ object, schema, of, onClose }: PropertyFormProps) {
  const { read, write } = useDefinition(object);
  const editing = useEditing<Defined, Draft, void>({
    of: { name: of?.name ?? "", definition: of?.definition, schema_id: schema?.id },
    formOf: (thing) => draftOf(thing?.name ?? "", thing?.definition),
    // A new one too: somebody else may have laid it down by the same name.
    read: (_of, { name }) => read(name.trim()),
    parts: ([{ type } = draftOf("", undefined)]) => draftParts(type),
    write: async (before, draft) => {
      if (before) await write(before, definitionOf(draft, before.definition));
    },
    onSaved: onClose,
  });
  const { form: draft, set: put, sent, clash } = editing;
  const faults = faultsOf(draft, of ? [] : Object.keys(schema?.properties ?? {}));
  const shown: Partial<typeof faults> = sent ? faults : {};
  return (
    <>
      <FormDialog
        title={of ? words.edit_title(of.name) : words.add}
        submit={of ? t.states.save : words.create}
        busy={editing.is_saving}
        error={reasonIn(editing.error)}
        onSubmit={() => editing.submit(Object.values(faults).every((fault) => fault === undefined))}
        onClose={onClose}
      >
        {!of && (
          <>
            <TextField
              label={words.name}
              hint={words.name_hint}
              value={draft.name}
              onChange={(name) => put({ name })}
              maxLength={255}
              mono
              error={shown.name}
            />
            <SelectField
              label={words.type}
              value={draft.type}
              options={typesFor(object).map((value) => ({ value, label: words.types[value] }))}
              onChange={(type) => put({ type, values: "", min: "", max: "" })}
            />
          </>
        )}
        <Check label={words.array} hint={words.array_hint} checked={draft.array} onChange={(array) => put({ array })} />
        <Check
          label={words.required}
          hint={words.required_hint}
          checked={draft.required}
          onChange={(required) => put({ required })}
        />
        <Limits draft={draft} faults={shown} put={put} />
        {draft.type === "object" && <Nested draft={draft} put={put} />}
      </FormDialog>
      {clash}
    </>
  );
}

interface PartProps {
  draft: Draft;
  faults?: Partial<ReturnType<typeof faultsOf>>;
  put: (changed: Partial<Draft>) => void;
}

/** What values are held to, where their type knows more than itself. */
function Limits({ draft: { type, values, min, max }, faults = {}, put }: PartProps) {
  if (type !== "string" && type !== "number") return null;
  const { least, most } = words.bounds[type];
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label={least}
          optional
          inputMode="decimal"
          value={min}
          onChange={(min) => put({ min })}
          error={faults.min}
        />
        <TextField
          label={most}
          optional
          inputMode="decimal"
          value={max}
          onChange={(max) => put({ max })}
          error={faults.max}
        />
      </div>
      <TextArea
        label={words.values}
        optional
        hint={words.values_hint}
        value={values}
        onChange={(values) => put({ values })}
        error={faults.values}
      />
    </>
  );
}

function Nested({ draft: { nested }, put }: PartProps) {
  const { data = [] } = useQuery(schemasQuery(useProject()));
  const names = data.map(({ related_object }) => related_object).filter((name) => !isObject(name));
  return (
    <SelectField
      label={words.nested}
      hint={words.nested_hint}
      value={nested}
      options={[{ value: "", label: words.any_object }, ...names.map((value) => ({ value, label: value }))]}
      onChange={(nested) => put({ nested })}
    />
  );
}
