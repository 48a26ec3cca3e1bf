import { t } from "../../text/index.js";
import { SelectField } from "../../ui/field.js";
import { Card, Notice } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { Table } from "../../ui/table/table.js";
import type { Head } from "./head.js";
import styles from "./imports.module.css";
import type { ImportKind } from "./kinds.js";
import { type Faults, labelOf, type Target } from "./mapping.js";

const words = t.imports;
const values_shown = 3;

interface ColumnsCardProps {
  kind: ImportKind;
  head: Head;
  targets: readonly Target[];
  faults: Faults;
  /** Whether somebody has wanted to go on, so that what is missing is said. */
  is_asked: boolean;
  onChange: (place: number, target: Target) => void;
}

/** What each column of the file becomes: as it looks by its name, until somebody says otherwise. */
export function ColumnsCard({ kind, head, targets, faults, is_asked, onChange }: ColumnsCardProps) {
  const { titles, rows } = head;
  const is_known = targets.some((target) => typeof target === "object");
  const valuesOf = (place: number) => rows.flatMap((cells) => cells[place] || []).slice(0, values_shown);
  return (
    <Card title={words.columns} note={words.columns_note} flush>
      <div className={styles.notes}>
        {!is_known && <Notice tone="warn">{words.none_known}</Notice>}
        {is_asked && faults.missing.length > 0 && <Notice>{words.missing(faults.missing.join(", "))}</Notice>}
      </div>
      <Table
        label={words.columns}
        rows={titles.map((title, place) => ({ place, title: title || words.unnamed(String(place + 1)) }))}
        keyOf={({ place }) => String(place)}
        columns={[
          { name: words.column, cell: ({ title }) => <Clip strong>{title}</Clip> },
          {
            name: words.becomes,
            cell: ({ place, title }) => (
              <div className={styles.becomes}>
                <SelectField
                  label={words.becomes_of(title)}
                  quiet
                  value={codeOf(targets[place] ?? "nothing")}
                  error={faults.columns[place]}
                  options={optionsOf(kind)}
                  onChange={(code) => onChange(place, targetOf(code))}
                />
              </div>
            ),
          },
          { name: words.first, cell: ({ place }) => <Clip>{valuesOf(place).join(" · ")}</Clip> },
        ]}
      />
    </Card>
  );
}

// A field may be called like what is none.
const field_mark = "=";
const codeOf = (target: Target) => (typeof target === "object" ? field_mark + target.field : target);
const targetOf = (code: string): Target =>
  code.startsWith(field_mark) ? { field: code.slice(field_mark.length) } : (code as Exclude<Target, object>);

const optionsOf = ({ fields }: ImportKind) => [
  { value: "metadata", label: words.as_metadata },
  { value: "nothing", label: words.left_out },
  ...fields.map(({ name, is_required }) => ({
    value: field_mark + name,
    label: is_required ? `${labelOf(name)} (${words.needed})` : labelOf(name),
  })),
];
