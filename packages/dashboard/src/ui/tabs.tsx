import { Link } from "@tanstack/react-router";
import styles from "./tabs.module.css";

interface LinkTabsProps {
  label: string;
  tabs: readonly { to: string; label: string; count?: number | string | undefined }[];
}

/** Parts of one page that have addresses of their own. */
export const LinkTabs = ({ label, tabs }: LinkTabsProps) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map((tab) => (
      <Link key={tab.to} to={tab.to} className={styles.tab} activeOptions={{ exact: true, includeSearch: false }}>
        {tab.label} {tab.count !== undefined && <span>{tab.count}</span>}
      </Link>
    ))}
  </nav>
);
