import { Link } from "@tanstack/react-router";
import styles from "./tabs.module.css";

interface Tab {
  to: string;
  label: string;
  count?: number | string | undefined;
  /** What stands behind its address is of it too. */
  has_pages?: boolean;
}

interface LinkTabsProps {
  label: string;
  tabs: readonly Tab[];
}

/** Parts of one page that have addresses of their own. */
export const LinkTabs = ({ label, tabs }: LinkTabsProps) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map((tab) => (
      <Link
        key={tab.to}
        to={tab.to}
        className={styles.tab}
        activeOptions={{ exact: !tab.has_pages, includeSearch: false }}
      >
        {tab.label} {tab.count !== undefined && <span>{tab.count}</span>}
      </Link>
    ))}
  </nav>
);
