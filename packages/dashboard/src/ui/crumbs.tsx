import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./crumbs.module.css";
import { Icon } from "./icon.js";

interface CrumbsProps {
  to: string;
  children: string;
  /** What the thing belongs to within that list. */
  within?: ReactNode;
}

/** The way back to the list that a thing is in. */
export const Crumbs = ({ to, children, within }: CrumbsProps) => (
  <nav className={styles.crumbs} aria-label={children}>
    <Link to={to}>{children}</Link>
    {within && (
      <>
        <Icon name="chevronRight" size={14} />
        {within}
      </>
    )}
  </nav>
);

/** Words, codes and what is true of them, beside each other. */
export const InLine = ({ children }: { children: ReactNode }) => <span className={styles.named}>{children}</span>;
