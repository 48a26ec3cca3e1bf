import type { ReactNode } from "react";
import styles from "./table.module.css";

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  align?: "right";
  /** A column whose content says all, as buttons do, keeps its name for readers. */
  hidden_name?: boolean;
  /** What stands in the heading instead of its name. */
  head?: ReactNode;
  /** As narrow as what it holds. */
  is_narrow?: boolean;
}

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Stands out from the others. */
  isMarked?: (row: Row) => boolean;
}

/** A short list that is there as a whole. What is sorted, filtered and turned by the service is a DataTable. */
export function Table<Row>({ label, rows, keyOf, columns, isMarked }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ name, align, hidden_name, head, is_narrow }) => (
              <th key={name} scope="col" data-align={align} data-narrow={is_narrow}>
                {hidden_name ? <span className="visually-hidden">{name}</span> : (head ?? name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-selected={isMarked?.(row) || undefined}>
              {columns.map(({ name, cell, align, is_narrow }) => (
                <td key={name} data-align={align} data-narrow={is_narrow}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
