import type { ReactNode } from "react";
import styles from "./table.module.css";

/** Words that somebody made as long as they liked: two lines of them in a cell, in the direction they are written in. */
export const Clip = ({ strong, children }: { strong?: boolean; children: ReactNode }) => (
  <span className={styles.clip} data-strong={strong} dir="auto">
    {children}
  </span>
);
