import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { reasonIn } from "../api/answer.js";
import { bodyOf, type Schemas } from "../api/client.js";
import { type Project, queriesOf, useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { IconButton } from "../ui/button.js";
import { Dialog, DialogBody } from "../ui/dialog.js";
import { Failed, Loading, State } from "../ui/page.js";
import styles from "./notices.module.css";
import { rememberNotice, seenNotice } from "./notices-seen.js";

type Told = Schemas["Notice"];

const look_ms = 5 * 60_000;

/** The bell on top of every page of a project: what its people are told, with a mark while there is something new. */
export function Notices() {
  const project = useProject();
  return project.may("notices.read") ? <Bell key={project.id} project={project} /> : null;
}

function Bell({ project }: { project: Project }) {
  const [seen, setSeen] = useState(() => seenNotice(project.id));
  const [open, setOpen] = useState(false);
  const told = useQuery(
    {
      queryKey: ["notices"],
      refetchInterval: look_ms,
      queryFn: () => bodyOf(project.api.GET("/dashboard/v1/notices")),
    },
    queriesOf(project.id),
  );
  const found = told.data?.data ?? [];
  const unread = found.filter(({ id }) => id > seen).length;
  const close = () => {
    setOpen(false);
    const newest = found[0]?.id;
    if (newest === undefined) return;
    rememberNotice(project.id, newest);
    setSeen(newest);
  };
  return (
    <div className={styles.bell} data-new={unread > 0 || undefined}>
      <IconButton
        icon="bell"
        label={unread > 0 ? t.notices.with_new(unread) : t.notices.title}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Dialog title={t.notices.title} onClose={close}>
          <DialogBody>
            {told.isPending && <Loading />}
            {told.error && !told.data && (
              <Failed what={t.notices.title} reason={reasonIn(told.error) ?? ""} onRetry={() => void told.refetch()} />
            )}
            {told.data && <List project={project} found={found} seen={seen} onLeave={close} />}
            {told.data?.has_more && <p className={styles.more}>{t.notices.older}</p>}
          </DialogBody>
        </Dialog>
      )}
    </div>
  );
}

interface ListProps {
  project: Project;
  found: readonly Told[];
  seen: string;
  onLeave: () => void;
}

function List({ project, found, seen, onLeave }: ListProps) {
  if (found.length === 0)
    return (
      <State icon="bell" title={t.notices.none}>
        <span>{t.notices.none_lead}</span>
      </State>
    );
  return (
    <ul className={styles.list}>
      {found.map((one) => (
        <li key={one.id} data-new={one.id > seen || undefined}>
          <strong>{titleOf(one)}</strong>
          <p>{leadOf(project, one)}</p>
          <small>
            <time dateTime={one.created_at}>{project.dates.moment(one.created_at)}</time>
            {one.kind === "webhook" && (
              <Link to={`/p/${project.id}/webhooks`} onClick={onLeave}>
                {t.notices.to_webhooks}
              </Link>
            )}
          </small>
        </li>
      ))}
    </ul>
  );
}

function titleOf({ kind, used_limit }: Told): string {
  if (kind === "webhook" || kind === "distribution") return t.notices.off[kind];
  const { calls, value } = used_limit ?? { calls: 0, value: 1 };
  return t.notices.used[kind](Math.floor((100 * calls) / value));
}

function leadOf({ count, dates }: Project, { used_limit, switched_off }: Told): string {
  if (switched_off) return t.notices.off_lead(switched_off.target_url);
  if (!used_limit) return "";
  const { calls, value, duration, ends_at } = used_limit;
  return t.notices.used_lead(count(calls), count(value), duration, dates.minute(ends_at));
}
