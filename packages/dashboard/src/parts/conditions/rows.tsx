import { type ReactNode, useEffect, useRef } from "react";
import { t } from "../../text/index.js";
import { Button, IconButton } from "../../ui/button.js";
import styles from "./conditions.module.css";

const words = t.conditions;

/** What is done to rows, and where one goes on after it. */
export interface RowDeeds {
  /** What has been added has the focus: the row whose key is answered. */
  adding: (deed: () => number) => () => void;
  /** Behind what was removed is nothing to stand on. */
  removing: (deed: () => void) => () => void;
}

interface RowsProps {
  /** Adds a condition and answers its key. */
  onAdd: () => number;
  /** What else can be added. */
  more?: (deeds: RowDeeds) => ReactNode;
  children: (deeds: RowDeeds) => ReactNode;
}

/** Conditions, one below the other. */
export function ConditionRows({ onAdd, more, children }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current !== null) list.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });
  const deeds: RowDeeds = {
    adding: (deed) => () => {
      wanted.current = `[data-row="${deed()}"] select`;
    },
    removing: (deed) => () => {
      wanted.current = "[data-add]";
      deed();
    },
  };
  return (
    <div className={styles.builder} ref={list}>
      {children(deeds)}
      <div className={styles.adds}>
        <Button icon="plus" size="small" data-add onClick={deeds.adding(onAdd)}>
          {words.add}
        </Button>
        {more?.(deeds)}
      </div>
    </div>
  );
}

interface RowProps {
  /** For readers: which one it is. */
  n: number;
  id: number;
  /** What it is about, how it compares, and with what. */
  children: ReactNode;
  /** What else may be said of it. */
  more?: ReactNode;
  /** What else can be done to it. */
  action?: ReactNode;
  onRemove: () => void;
}

/** One condition: three fields beside one another, and below them what is rarely said. */
export const ConditionFields = ({ n, id, children, more, action, onRemove }: RowProps) => (
  <fieldset className={styles.row} data-row={id}>
    <legend className="visually-hidden">{words.row(n)}</legend>
    {children}
    <div className={styles.actions}>
      {action}
      <IconButton icon="x" label={words.remove(n)} onClick={onRemove} />
    </div>
    {more && <div className={styles.more}>{more}</div>}
  </fieldset>
);

/** Fields that belong together, one below the other. */
export const Together = ({ children }: { children: ReactNode }) => <div className={styles.field}>{children}</div>;
