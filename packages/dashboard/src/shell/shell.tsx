import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Me, type OwnProject, permissionsIn } from "../api/me.js";
import { t } from "../text/index.js";
import { IconButton, look } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Toasts } from "../ui/toast.js";
import { groupsFor } from "./entries.js";
import { Letters } from "./letters.js";
import { ProfileMenu, ProjectSwitcher } from "./menus.js";
import styles from "./shell.module.css";

interface ShellProps {
  me: Me;
  /** Where somebody is, or was last. */
  project: OwnProject | undefined;
  /** What the top begins with. */
  top?: ReactNode;
  /** What stands there beside help. */
  beside_help?: ReactNode;
  children: ReactNode;
}

/** What stands around every page of somebody who is signed in. */
export function Shell({ me, project, top, beside_help, children }: ShellProps) {
  const [open, setOpen] = useState(false);
  const page = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a small screen the menu goes once a page was chosen in it.
  useEffect(() => setOpen(false), [path]);
  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={() => page.current?.focus()}>
        {t.frame.skip}
      </button>
      <aside className={styles.side} data-open={open || undefined}>
        <ProjectSwitcher me={me} project={project} />
        <Sections me={me} project={project} />
        <ProfileMenu me={me} />
      </aside>
      <button
        type="button"
        className={styles.shade}
        data-open={open || undefined}
        aria-label={t.frame.close_menu}
        onClick={() => setOpen(false)}
      />
      <header className={styles.top}>
        <span className={styles.burger}>
          <IconButton icon="menu2" label={t.frame.open_menu} aria-expanded={open} onClick={() => setOpen(true)} />
        </span>
        {top}
        <div className={styles.help}>
          {beside_help}
          <nav aria-label={t.frame.api_reference}>
            <a {...look({ kind: "quiet" }, true)} href="/docs" title={t.frame.api_reference}>
              <Icon name="helpCircle" />
              <span className="visually-hidden">{t.frame.api_reference}</span>
            </a>
          </nav>
        </div>
      </header>
      <main className={styles.page} id="page" ref={page} tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <Letters me={me} project={project} />
    </div>
  );
}

function Sections({ me, project }: { me: Me; project: OwnProject | undefined }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (!project) return <div className={styles.sections} />;
  const here = (entry: string) => path.startsWith(`/p/${project.id}/${entry.split("/")[0]}`);
  return (
    <nav className={styles.sections} aria-label={t.frame.sections}>
      {groupsFor(permissionsIn(me, project)).map(({ label, entries }) => (
        <div key={entries[0]?.path}>
          {label && <h2>{label}</h2>}
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                <Link
                  to={`/p/${project.id}/${entry.path}`}
                  className={styles.entry}
                  aria-current={here(entry.path) ? "page" : undefined}
                  activeProps={{}}
                  title={entry.label}
                >
                  <Icon name={entry.icon} />
                  <span>{entry.label}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
