import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Icon } from "../../ui/icon.js";
import { Card, Notice } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { type Column, Table } from "../../ui/table/table.js";
import type { Head } from "./head.js";
import styles from "./imports.module.css";
import type { Holds, ImportKind } from "./kinds.js";
import { labelOf, type Target } from "./mapping.js";
import { readingOf } from "./readings.js";

const words = t.imports;

interface PreviewProps {
  kind: ImportKind;
  head: Head;
  targets: readonly Target[];
}

interface Row {
  number: number;
  cells: readonly string[];
}

interface Shown {
  place: number;
  name: string;
  holds: Holds;
  is_required: boolean;
  /** The service calculates with what stands in it. */
  is_formula: boolean;
}

/** The first rows as they will be stored, and what of them will be refused. */
export function Preview({ kind, head: { titles, rows }, targets }: PreviewProps) {
  const { count } = useProject();
  const shown = targets.flatMap((target, place) => shownOf(kind, target, place, titles[place] ?? ""));
  const numbered = rows.map((cells, i) => ({ number: i + 1, cells }));
  const formula = formulaIn(shown, numbered);
  const is_whole = ({ cells }: Row) => cells.length === titles.length;
  return (
    <Card title={words.preview} note={words.preview_note(count(rows.length))} flush>
      <div className={styles.notes}>
        {formula && <Notice tone="warn">{words.formula(formula.name, String(formula.number))}</Notice>}
        {numbered.map((row) =>
          is_whole(row) ? null : (
            <Notice key={row.number} tone="warn">
              {words.row} {row.number}: {words.cells(String(row.cells.length), String(titles.length))}
            </Notice>
          ),
        )}
      </div>
      <Table
        label={words.preview}
        rows={numbered.filter(is_whole)}
        keyOf={({ number }) => String(number)}
        columns={useColumns(shown, targets)}
      />
    </Card>
  );
}

function shownOf(kind: ImportKind, target: Target, place: number, title: string): Shown[] {
  if (target === "nothing") return [];
  if (target === "metadata") return [{ place, name: title, holds: "text", is_required: false, is_formula: false }];
  const field = kind.fields.find(({ name }) => name === target.field);
  if (!field) return [];
  const { name, holds, is_required = false } = field;
  return [{ place, name: labelOf(name), holds, is_required, is_formula: name === "formula" }];
}

/** The first text that a spreadsheet would calculate: whoever wrote it may wait for its result. */
function formulaIn(shown: readonly Shown[], rows: readonly Row[]) {
  for (const { number, cells } of rows) {
    const found = shown.find(
      ({ place, holds, is_formula }) => holds === "text" && !is_formula && /^=./.test(cells[place] ?? ""),
    );
    if (found) return { number, name: found.name };
  }
  return undefined;
}

function useColumns(shown: readonly Shown[], targets: readonly Target[]): Column<Row>[] {
  const project = useProject();
  const cellOf = ({ place, holds, is_required }: Shown, { cells }: Row) => {
    const of = (field: string) =>
      cells[targets.findIndex((target) => typeof target === "object" && target.field === field)] ?? "";
    const written = cells[place] ?? "";
    const reading = is_required && written === "" ? { fault: words.is_needed } : readingOf(holds, written, of, project);
    if ("shown" in reading) return <Clip>{reading.shown}</Clip>;
    return (
      <span className={styles.bad}>
        <Icon name="alertCircle" size={14} />
        <span>
          <Clip>{written}</Clip>
          <small>{reading.fault}</small>
        </span>
      </span>
    );
  };
  return [
    { name: words.row, cell: ({ number }) => number },
    ...shown.map((one) => ({ name: one.name, cell: (row: Row) => cellOf(one, row) })),
  ];
}
