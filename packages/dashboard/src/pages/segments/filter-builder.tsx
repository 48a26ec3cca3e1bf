import type { ConditionRow, RowFaults } from "../../parts/conditions/operands.js";
import { ConditionFields, ConditionRows, Together } from "../../parts/conditions/rows.js";
import { ValueField } from "../../parts/conditions/value-field.js";
import { t } from "../../text/index.js";
import { SelectField, TextField } from "../../ui/field.js";
import { type FieldName, field_groups, fieldNamed, kindOf, operandsOf, operatorsOf } from "./filter-fields.js";
import type { FilterForm } from "./filter-form.js";

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
  const set = (rows: readonly ConditionRow[]) => onChange({ ...form, rows });
  const add = () => {
    const key = Math.max(-1, ...rows.map(({ key }) => key)) + 1;
    set([...rows, newRow(key)]);
    return key;
  };
  return (
    <ConditionRows onAdd={add}>
      {({ removing }) => (
        <>
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
              onRemove={removing(() => set(rows.filter(({ key }) => key !== row.key)))}
            />
          ))}
        </>
      )}
    </ConditionRows>
  );
}

export const newRow = (key: number): ConditionRow => ({
  key,
  field: "address.city",
  name: "",
  operator: "$is",
  value: "",
});

interface RowProps {
  n: number;
  row: ConditionRow;
  faults: RowFaults;
  onChange: (row: ConditionRow) => void;
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
    <ConditionFields n={n} id={row.key} onRemove={onRemove}>
      <Together>
        <SelectField quiet label={t.conditions.field} value={row.field as FieldName} options={fields} onChange={ask} />
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
      </Together>
      <SelectField
        quiet
        label={t.conditions.operator}
        value={row.operator}
        options={operators.map((value) => ({ value, label: t.conditions.operators[value] }))}
        error={faults.operator}
        onChange={(operator) => {
          const kind = kindOf(row.field);
          const is_same = operandsOf(kind, operator) === operandsOf(kind, row.operator);
          onChange({ ...row, operator, value: is_same ? row.value : "" });
        }}
      />
      <ValueField
        as={operandsOf(kindOf(row.field), row.operator)}
        value={row.value}
        error={faults.value}
        onChange={(value) => onChange({ ...row, value })}
      />
    </ConditionFields>
  );
}
