import type { ReactNode } from "react";
import { t } from "../text/index.js";
import { Button } from "./button.js";
import { Icon, type IconName } from "./icon.js";
import styles from "./page.module.css";

interface PageHeadProps {
  title: ReactNode;
  lead?: ReactNode;
  children?: ReactNode;
}

export const PageHead = ({ title, lead, children }: PageHeadProps) => (
  <header className={styles.head}>
    <h1>{title}</h1>
    {lead && <p>{lead}</p>}
    {children && <div className={styles.actions}>{children}</div>}
  </header>
);

interface CardProps {
  title?: string;
  note?: ReactNode;
  action?: ReactNode;
  /** A table or a list goes to the edges. */
  flush?: boolean;
  children: ReactNode;
}

export const Card = ({ title, note, action, flush, children }: CardProps) => (
  <section className={styles.card} aria-label={title}>
    {title && (
      <div className={styles.cardHead}>
        <h2>{title}</h2>
        {note && <p>{note}</p>}
        {action}
      </div>
    )}
    {flush ? children : <div className={styles.cardBody}>{children}</div>}
  </section>
);

/** Names on the left, what they are on the right; what is not known is left out. */
export const Facts = ({ of }: { of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.facts}>
    {of
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .flatMap(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} `}>{value}</dd>])}
  </dl>
);

export const Columns = ({ children }: { children: ReactNode }) => <div className={styles.columns}>{children}</div>;
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>;

interface StateProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
}

/** What stands where there is nothing to show: one sentence, and what to do about it. */
export const State = ({ icon, title, children }: StateProps) => (
  <div className={styles.state}>
    {icon && <Icon name={icon} size={26} />}
    <strong>{title}</strong>
    {children}
  </div>
);

interface FailedProps {
  what: string;
  reason: string;
  request_id?: string | undefined;
  onRetry?: (() => void) | undefined;
}

/** What failed, how to try it again, and by which name somebody finds it in the log. */
export const Failed = ({ what, reason, request_id, onRetry }: FailedProps) => (
  <div role="alert">
    <State icon="alertCircle" title={t.states.failed(what)}>
      <span>{reason}</span>
      {request_id && (
        <small>
          {t.states.request} <code>{request_id}</code>
        </small>
      )}
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {t.states.try_again}
        </Button>
      )}
    </State>
  </div>
);

/** Where words will stand; not shown at all while it takes no time. */
export const Bone = ({ width = "60%" }: { width?: string }) => <span className={styles.bone} style={{ width }} />;

export const Loading = ({ lines = 4 }: { lines?: number }) => (
  <div className={styles.cardBody} aria-busy="true" role="status">
    <span className="visually-hidden">{t.states.loading}</span>
    <div className={styles.stack}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
        <Bone key={line} width={`${78 - ((line * 17) % 45)}%`} />
      ))}
    </div>
  </div>
);

interface NoticeProps {
  tone?: "bad" | "info" | "warn" | "ok";
  children: ReactNode;
}

/** Said where it happened, to whoever listens as well. */
export const Notice = ({ tone = "bad", children }: NoticeProps) => (
  <div className={styles.notice} data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
    <Icon name={tone === "ok" ? "circleCheck" : tone === "info" ? "infoCircle" : "alertCircle"} />
    <div>{children}</div>
  </div>
);
