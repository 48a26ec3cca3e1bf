import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button, IconButton } from "../../ui/button.js";
import { Notice } from "../../ui/page.js";
import type { Column } from "../../ui/table/table.js";
import type { Act, Acts } from "./acts.js";
import { BulkDialog } from "./bulk-dialog.js";
import type { Listed } from "./list.js";
import styles from "./lists.module.css";

const words = t.bulk;
/** What one press may reach: more is what imports and the API are for. */
const rows_max = 1_000;

interface Selected<Row> {
  place: string;
  ids: ReadonlySet<string>;
  /** Where it goes beyond the page. */
  every?: readonly Row[];
}

/**
 * Which rows somebody has selected: of the page, or of all that the filters let through.
 *
 * @param place which page of which filters is shown: on another one nothing is selected
 */
export function useSelection<Row extends { id: string }>(rows: readonly Row[], place: string) {
  const [last, setLast] = useState<Selected<Row>>({ place, ids: new Set() });
  const { ids, every }: Selected<Row> = last.place === place ? last : { place, ids: new Set() };
  const set = (next: readonly string[], all = every) =>
    setLast({ place, ids: new Set(next), ...(all && { every: all }) });
  return {
    selected: (every ?? rows).filter(({ id }) => ids.has(id)),
    has: ({ id }: Row) => ids.has(id),
    turn: ({ id }: Row, on: boolean) => set(on ? [...ids, id] : [...ids].filter((one) => one !== id)),
    turnPage: (on: boolean) => setLast({ place, ids: new Set(on ? rows.map(({ id }) => id) : []) }),
    take: (all: readonly Row[]) =>
      set(
        all.map(({ id }) => id),
        all,
      ),
  };
}
type Selection<Row extends { id: string }> = ReturnType<typeof useSelection<Row>>;

/** The boxes in front of the rows, and the one that ticks them all. */
export function boxesOf<Row extends { id: string }>(
  { has, turn, turnPage }: Selection<Row>,
  { rows, nameOf }: { rows: readonly Row[]; nameOf: (row: Row) => string },
): Column<Row> {
  const ticked = rows.filter(has).length;
  const is_some = ticked > 0 && ticked < rows.length;
  return {
    name: words.column,
    is_narrow: true,
    head: (
      <input
        type="checkbox"
        aria-label={words.select_page}
        checked={ticked === rows.length}
        ref={(box) => {
          if (box) box.indeterminate = is_some;
        }}
        onChange={(event) => turnPage(event.target.checked)}
      />
    ),
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={words.select(nameOf(row))}
        checked={has(row)}
        onChange={(event) => turn(row, event.target.checked)}
      />
    ),
  };
}

interface SelectionBarProps<Row extends { id: string }> {
  list: string;
  of: Selection<Row>;
  page: Listed<Row>;
  acts: Acts<Row>;
  /** The page behind a row; behind nothing, the first. */
  read: (after: string | undefined) => Promise<Listed<Row>> | undefined;
}

/** How many are selected, and what can be done to them. */
export function SelectionBar<Row extends { id: string }>({ list, of, page, acts, read }: SelectionBarProps<Row>) {
  const { count } = useProject();
  // With the rows that it was begun for: those that are deleted are selected no more.
  const [begun, setBegun] = useState<{ act: Act<Row>; rows: readonly Row[] } | null>(null);
  const { selected, turnPage, take } = of;
  const all = useMutation({ mutationFn: () => everyRow(read), onSuccess: take });
  const within_reach = Math.min(page.total, rows_max);
  const is_cut = page.total > rows_max || page.total_estimated === true;
  return (
    <>
      {all.error && <Notice>{reasonIn(all.error)}</Notice>}
      {selected.length > 0 && (
        <section className={styles.selection} aria-label={words.label}>
          <strong role="status">{words.selected(count(selected.length))}</strong>
          {selected.length < within_reach && (
            <Button kind="link" busy={all.isPending} onClick={() => all.mutate()}>
              {(is_cut ? words.select_first : words.select_all)(count(within_reach))}
            </Button>
          )}
          {acts.all.map((act) => (
            <Button
              key={act.label}
              size="small"
              icon={act.icon}
              {...(act.danger && { kind: "danger" })}
              onClick={() => setBegun({ act, rows: selected })}
            >
              {act.label}
            </Button>
          ))}
          <IconButton icon="x" size="small" label={words.nothing} onClick={() => turnPage(false)} />
        </section>
      )}
      {begun && <BulkDialog list={list} {...begun} onDone={() => turnPage(false)} onClose={() => setBegun(null)} />}
    </>
  );
}

async function everyRow<Row extends { id: string }>(read: SelectionBarProps<Row>["read"]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const page: Listed<Row> | undefined = await read(after);
    rows.push(...(page?.data ?? []));
    after = page?.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined && rows.length < rows_max);
  return rows.slice(0, rows_max);
}
