import { useState } from "react";
import { useProject } from "../../api/project.js";
import { ConditionFields, Together } from "../../parts/conditions/rows.js";
import { ValueField } from "../../parts/conditions/value-field.js";
import {
  fieldNamed,
  kindOf,
  object_names,
  operandsOf,
  operatorsOf,
  period_names,
  type RuleFieldName,
  rule_field_groups,
} from "../../parts/rules/rule-fields.js";
import type { Nameable } from "../../parts/rules/rules.queries.js";
import { t } from "../../text/index.js";
import { IconButton } from "../../ui/button.js";
import { SelectField, TextField } from "../../ui/field.js";
import { asksOfItems, type RuleRow, type RuleRowFaults } from "./rule-tree.js";

const words = t.rules;
const fields = rule_field_groups.flatMap(([group, list]) =>
  list.map(({ name }) => ({ value: name, label: words.fields[name], group: words.groups[group] })),
);
const objects = object_names.map((value) => ({ value, label: words.objects[value] }));
const periods = period_names.map((value) => ({ value, label: words.periods[value] }));

interface RowProps {
  n: number;
  row: RuleRow;
  faults: RuleRowFaults;
  nameable: Nameable;
  onChange: (row: RuleRow) => void;
  onRemove: () => void;
}

const first_name = { metadata: "", period: "total", object: "product" } as const;

/** One condition of a rule. */
export function RuleRowFields({ n, row, faults, nameable, onChange, onRemove }: RowProps) {
  const [says, setSays] = useState(false);
  const has_message = says || row.message !== "" || faults.message !== undefined;
  /** What was said of a field stays where the next one is of its kind; else it begins with what is usual there. */
  const ask = (field: RuleFieldName) => {
    const { kind, named } = fieldNamed(field) ?? { kind: "any" };
    const before = fieldNamed(row.field);
    const name = named === before?.named ? row.name : named ? first_name[named] : "";
    const is_same = before?.kind === kind;
    const [usual = "$is"] = operatorsOf(kind);
    const kept = is_same ? { operator: row.operator, value: row.value } : { operator: usual, value: "" };
    onChange({ ...row, ...kept, field, name, units: "", worth: "" });
  };
  return (
    <ConditionFields
      n={n}
      id={row.key}
      onRemove={onRemove}
      action={!has_message && <IconButton icon="message2" label={words.add_message(n)} onClick={() => setSays(true)} />}
      more={
        (asksOfItems(row) || has_message) && (
          <>
            {asksOfItems(row) && <OfThem row={row} faults={faults} onChange={onChange} />}
            {has_message && (
              <TextField
                label={words.row_message}
                optional
                dir="auto"
                value={row.message}
                error={faults.message}
                onChange={(message) => onChange({ ...row, message })}
              />
            )}
          </>
        )
      }
    >
      <About row={row} fault={faults.name} onAsk={ask} onChange={onChange} />
      <Compared row={row} fault={faults.operator} onChange={onChange} />
      <Together>
        <ValueField
          as={asOf(row)}
          value={row.value}
          error={faults.value}
          choices={choicesOf(row, nameable)}
          onChange={(value) => onChange({ ...row, value })}
        />
        {fieldNamed(row.field)?.named === "period" && (
          <SelectField
            quiet
            label={words.names.period}
            value={row.name as (typeof period_names)[number]}
            options={periods}
            onChange={(name) => onChange({ ...row, name })}
          />
        )}
      </Together>
    </ConditionFields>
  );
}

const asOf = ({ field, operator, name }: RuleRow) => operandsOf(kindOf(field), operator, name);

function choicesOf({ field }: RuleRow, { segment, collection, key }: Nameable) {
  const kind = kindOf(field);
  return kind === "segment" ? segment : kind === "key" ? key : collection;
}

interface PartProps {
  row: RuleRow;
  fault: string | undefined;
  onChange: (row: RuleRow) => void;
}

const About = ({ row, fault, onAsk, onChange }: PartProps & { onAsk: (field: RuleFieldName) => void }) => (
  <Together>
    <SelectField
      quiet
      label={t.conditions.field}
      value={row.field as RuleFieldName}
      options={fields}
      hint={words.helps[row.field]}
      onChange={onAsk}
    />
    {fieldNamed(row.field)?.named === "metadata" && (
      <TextField
        quiet
        label={words.names.metadata}
        placeholder={words.names.metadata}
        value={row.name}
        error={fault}
        onChange={(name) => onChange({ ...row, name })}
      />
    )}
  </Together>
);

/** How it compares; of items, which kind of thing they are compared with. */
function Compared({ row, fault, onChange }: PartProps) {
  const kind = kindOf(row.field);
  const operators = operatorsOf(kind);
  if (kind === "holder") return <span />;
  if (kind === "items")
    return (
      <SelectField
        quiet
        label={words.names.object}
        value={row.name as (typeof object_names)[number]}
        options={objects}
        onChange={(name) => onChange({ ...row, name, value: "" })}
      />
    );
  return (
    <SelectField
      quiet
      label={t.conditions.operator}
      value={row.operator}
      options={operators.map((value) => ({ value, label: t.conditions.operators[value] }))}
      error={fault}
      onChange={(operator) => {
        const is_same = operandsOf(kind, operator, row.name) === asOf(row);
        onChange({ ...row, operator, value: is_same ? row.value : "" });
      }}
    />
  );
}

/** How many of the items there have to be, and worth how much. */
function OfThem({ row, faults, onChange }: Omit<PartProps, "fault"> & { faults: RuleRowFaults }) {
  const { currency } = useProject();
  return (
    <>
      <TextField
        label={words.of_them}
        optional
        inputMode="numeric"
        unit={words.pieces}
        value={row.units}
        error={faults.units}
        onChange={(units) => onChange({ ...row, units })}
      />
      <TextField
        label={words.worth}
        optional
        inputMode="decimal"
        unit={currency}
        value={row.worth}
        error={faults.worth}
        onChange={(worth) => onChange({ ...row, worth })}
      />
    </>
  );
}
