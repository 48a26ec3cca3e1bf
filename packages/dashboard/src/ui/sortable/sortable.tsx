import { useEffect, useId, useRef, useState } from "react";
import { t } from "../../text/index.js";
import { IconButton } from "../button.js";
import { Icon } from "../icon.js";
import type { Column } from "../table/table.js";
import { moved, placeAt } from "./order.js";
import styles from "./sortable.module.css";

interface SortableProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  onMove: (from: number, to: number) => void;
}

interface Drag {
  from: number;
  to: number;
}

/**
 * Rows whose order somebody may change: by dragging, and by buttons for whoever has no pointer. It is a column of a Table, the rows as
 * they would stand while one is dragged, and what has just been done, for readers.
 */
export function useSortable<Row>({ rows, keyOf, nameOf, onMove }: SortableProps<Row>) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const [said, setSaid] = useState("");
  const pressed = useRef<string | null>(null);
  const id = useId();
  // The button goes with its row, and some browsers take the focus off what is moved.
  useEffect(() => {
    if (pressed.current !== null) document.getElementById(pressed.current)?.focus();
    pressed.current = null;
  });
  const move = (from: number, to: number) => {
    const row = rows[from];
    if (row === undefined || to < 0 || to >= rows.length || to === from) return;
    setSaid(t.sortable.moved(nameOf(row), to + 1, rows.length));
    onMove(from, to);
  };
  const button = (row: Row, at: number, by: -1 | 1) => {
    const own = `${id}-${keyOf(row)}-${by}`;
    const is_end = at + by < 0 || at + by >= rows.length;
    return (
      <IconButton
        id={own}
        size="small"
        icon={by < 0 ? "arrowUp" : "arrowDown"}
        label={(by < 0 ? t.sortable.up : t.sortable.down)(nameOf(row))}
        aria-disabled={is_end || undefined}
        onClick={() => {
          pressed.current = own;
          move(at, at + by);
        }}
      />
    );
  };
  const column: Column<Row> = {
    name: t.sortable.order,
    cell: (row) => {
      const at = rows.indexOf(row);
      return (
        <span className={styles.order}>
          <Grip at={at} onDrag={setDrag} onDrop={({ from, to }) => move(from, to)} />
          {button(row, at, -1)}
          {button(row, at, 1)}
          <span className={styles.place}>{at + 1}</span>
        </span>
      );
    },
  };
  const shown = drag ? moved(rows, drag.from, drag.to) : rows;
  const dragged = drag ? rows[drag.from] : undefined;
  return { column, shown, said, isDragged: (row: Row) => row === dragged };
}

interface GripProps {
  at: number;
  onDrag: (drag: Drag | null) => void;
  onDrop: (drag: Drag) => void;
}

/** Held by a pointer; a reader is told of the buttons beside it alone. */
const Grip = ({ at, onDrag, onDrop }: GripProps) => (
  <span
    className={styles.grip}
    aria-hidden="true"
    data-grip
    onPointerDown={(event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      // Measured once: the rows move below the pointer from now on.
      const rows = [...(event.currentTarget.closest("tbody")?.rows ?? [])];
      const middles = rows.map((row) => row.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
      follow(middles, at, onDrag, onDrop);
    }}
  >
    <Icon name="gripVertical" size={16} />
  </span>
);

/** Listens to the window: the grip goes with its row, and what is moved in the page no longer holds the pointer. */
function follow(middles: readonly number[], from: number, onDrag: GripProps["onDrag"], onDrop: GripProps["onDrop"]) {
  let to = from;
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => {
    ended.abort();
    onDrag(null);
  };
  onDrag({ from, to });
  addEventListener(
    "pointermove",
    ({ clientY }) => {
      to = placeAt(middles, clientY, from);
      onDrag({ from, to });
    },
    { signal },
  );
  addEventListener(
    "pointerup",
    () => {
      end();
      onDrop({ from, to });
    },
    { signal },
  );
  addEventListener("pointercancel", end, { signal });
  addEventListener("keydown", ({ key }) => key === "Escape" && end(), { signal });
}
