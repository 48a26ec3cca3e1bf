import type { ReactNode } from "react";
import styles from "./table.module.css";

interface ClipProps {
  strong?: boolean;
  /** An id, to be told apart letter by letter. */
  code?: boolean;
  children: ReactNode;
}

/** Words that somebody made as long as they liked: two lines of them in a cell, in the direction they are written in. */
export const Clip = ({ strong, code, children }: ClipProps) => (
  <span className={styles.clip} data-strong={strong} data-code={code} dir="auto">
    {children}
  </span>
);
