import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./crumbs.module.css";

/** The way back to the list that a thing is in. */
export const Crumbs = ({ to, children }: { to: string; children: string }) => (
  <nav className={styles.crumbs} aria-label={children}>
    <Link to={to}>{children}</Link>
  </nav>
);

/** Words, codes and what is true of them, beside each other. */
export const InLine = ({ children }: { children: ReactNode }) => <span className={styles.named}>{children}</span>;
