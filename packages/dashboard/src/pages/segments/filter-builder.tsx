import { useEffect, useRef } from "react";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button, IconButton } from "../../ui/button.js";
import { SelectField, TextArea, TextField } from "../../ui/field.js";
import { type FieldName, field_groups, fieldNamed, kindOf, operandsOf, operatorsOf } from "./filter-fields.js";
import type { FilterForm, Row, RowFaults } from "./filter-form.js";
import styles from "./segments.module.css";

const words = t.filter;
const fields = field_groups.flatMap(([group, list]) =>
  list.map(({ name }) => ({ value: name, label: words.fields[name], group: words.groups[group] })),
);
const junctions = [
  { value: "and", label: words.and },
  { value: "or", label: words.or },
] as const;

interface BuilderProps {
  form: FilterForm;
  faults: readonly RowFaults[];
  onChange: (form: FilterForm) => void;
}

/** Conditions, one below the other, and how they are joined. */
export function FilterBuilder({ form, faults, onChange }: BuilderProps) {
  const { rows } = form;
  const list = useRef<HTMLDivElement>(null);
  const focused = useRef<"last" | "add" | null>(null);
  const set = (rows: readonly Row[]) => onChange({ ...form, rows });
  // What has been added is where one goes on, and behind what was removed is nothing to stand on.
  useEffect(() => {
    const at = focused.current === "last" ? "fieldset:last-of-type select" : "[data-add]";
    if (focused.current !== null) list.current?.querySelector<HTMLElement>(at)?.focus();
    focused.current = null;
  });
  const add = () => {
    focused.current = "last";
    set([...rows, newRow(Math.max(-1, ...rows.map(({ key }) => key)) + 1)]);
  };
  const remove = (key: number) => {
    focused.current = "add";
    set(rows.filter((row) => row.key !== key));
  };
  return (
    <div className={styles.builder} ref={list}>
      {rows.length > 1 && (
        <SelectField
          label={words.junction}
          value={form.junction}
          options={junctions}
          onChange={(junction) => onChange({ ...form, junction })}
        />
      )}
      {rows.map((row, i) => (
        <RowFields
          key={row.key}
          n={i + 1}
          row={row}
          faults={faults[i] ?? {}}
          onChange={(changed) => set(rows.map((one) => (one.key === row.key ? changed : one)))}
          onRemove={() => remove(row.key)}
        />
      ))}
      <div>
        <Button icon="plus" size="small" onClick={add} data-add>
          {words.add}
        </Button>
      </div>
    </div>
  );
}

export const newRow = (key: number): Row => ({ key, field: "address.city", name: "", operator: "$is", value: "" });

interface RowProps {
  n: number;
  row: Row;
  faults: RowFaults;
  onChange: (row: Row) => void;
  onRemove: () => void;
}

function RowFields({ n, row, faults, onChange, onRemove }: RowProps) {
  const { named } = fieldNamed(row.field) ?? {};
  const operators = operatorsOf(kindOf(row.field));
  /** What was said of the former field stays where it can be said of this one. */
  const ask = (field: FieldName) => {
    const kept = operatorsOf(kindOf(field)).find((one) => one === row.operator);
    const operator = kept ?? operatorsOf(kindOf(field))[0] ?? "$is";
    const is_same = operandsOf(kindOf(field), operator) === operandsOf(kindOf(row.field), row.operator);
    onChange({ ...row, field, operator, name: "", value: is_same ? row.value : "" });
  };
  return (
    <fieldset className={styles.row}>
      <legend className="visually-hidden">{words.row(n)}</legend>
      <div className={styles.field}>
        <SelectField quiet label={words.field} value={row.field as FieldName} options={fields} onChange={ask} />
        {named && (
          <TextField
            quiet
            label={words.names[named]}
            placeholder={words.names[named]}
            value={row.name}
            error={faults.name}
            onChange={(name) => onChange({ ...row, name })}
          />
        )}
      </div>
      <SelectField
        quiet
        label={words.operator}
        value={row.operator}
        options={operators.map((value) => ({ value, label: words.operators[value] }))}
        error={faults.operator}
        onChange={(operator) => {
          const kind = kindOf(row.field);
          const is_same = operandsOf(kind, operator) === operandsOf(kind, row.operator);
          onChange({ ...row, operator, value: is_same ? row.value : "" });
        }}
      />
      <ValueField row={row} error={faults.value} onChange={(value) => onChange({ ...row, value })} />
      <IconButton icon="x" label={words.remove(n)} onClick={onRemove} />
    </fieldset>
  );
}

interface ValueProps {
  row: Row;
  error: string | undefined;
  onChange: (value: string) => void;
}

function ValueField({ row: { field, operator, value }, error, onChange }: ValueProps) {
  const { currency } = useProject();
  const props = { quiet: true, label: words.value, value, error, onChange };
  switch (operandsOf(kindOf(field), operator)) {
    case "none":
      return <span />;
    case "money":
      return <TextField {...props} inputMode="decimal" unit={currency} />;
    case "number":
      return <TextField {...props} inputMode="decimal" />;
    case "days":
      return <TextField {...props} inputMode="numeric" unit={words.days} />;
    case "day":
      return <TextField {...props} type="date" />;
    default:
      return <TextArea {...props} rows={1} />;
  }
}
