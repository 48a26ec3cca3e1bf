import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
import { t } from "../../text/index.js";
import { Button, look } from "../../ui/button.js";
import { Card, Notice, State } from "../../ui/page.js";
import { Bar } from "../../ui/status.js";
import styles from "./overview.module.css";
import type { Overview } from "./overview.queries.js";
import { sampleQuery, useSampleDeeds } from "./sample.queries.js";

const words = t.overview.sample;

/** Nothing has happened in this time or the one before, and nothing is about to. */
export const isEmpty = ({ tiles, before, active_campaigns }: Overview): boolean =>
  active_campaigns === 0 && [...Object.values(tiles), ...Object.values(before)].every((count) => count === 0);

/** Beside an overview with nothing to see: a shop to look at, in a project of its own. */
export function SampleOffer() {
  const project = useProject();
  const { data: shop } = useQuery(sampleQuery(project));
  const { make } = useSampleDeeds();
  const status = shop?.status;
  if (!shop || (status === "none" && !project.may("sample-shop.create"))) return null;
  const begin = (label: string) => (
    <Button kind="primary" icon="plus" busy={make.isPending} onClick={() => make.mutate()}>
      {label}
    </Button>
  );
  return (
    <div className={styles.sample}>
      <Card title={words.title} flush>
        <State icon="speakerphone" title={status === "ready" ? words.ready : words.nothing_yet}>
          {make.error && <Notice>{reasonIn(make.error)}</Notice>}
          {status === "none" && <p>{words.offer}</p>}
          {status === "none" && begin(words.make)}
          {status === "making" && <Progress percent={shop.progress} />}
          {status === "failed" && <Notice>{words.failed}</Notice>}
          {status === "failed" && project.may("sample-shop.create") && begin(words.go_on)}
          {status === "ready" && (
            // Loaded anew: who is signed in is in one project more than this page knows.
            <a {...look({ kind: "primary" })} href={`/p/${shop.project_id}/overview?window=90d`}>
              {words.open}
            </a>
          )}
        </State>
      </Card>
    </div>
  );
}

const Progress = ({ percent }: { percent: number }) => (
  <div className={styles.progress} role="status">
    <p>{words.making(percent)}</p>
    <Bar part={percent / 100} />
  </div>
);

/** On the overview of a sample shop: what it is, and how it goes away. */
export function SampleNotice() {
  const project = useProject();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const { data: shop } = useQuery(sampleQuery(project));
  const { remove } = useSampleDeeds();
  const takeAway = () =>
    remove.mutate(undefined, { onSuccess: () => void navigate({ to: "/", reloadDocument: true }) });
  return (
    <div className={styles.sample}>
      <Notice tone="info">
        <span className={styles.sampleLine}>
          {shop?.status === "making" ? words.making(shop.progress) : words.is_one}
          {project.may("sample-shop.delete") && (
            <Button size="small" icon="trash" onClick={() => setAsks(true)}>
              {words.remove}
            </Button>
          )}
        </span>
      </Notice>
      {asks && (
        <DangerDialog
          deed={remove}
          title={words.remove}
          submit={words.remove}
          onSubmit={takeAway}
          onClose={() => setAsks(false)}
        >
          {words.remove_lead}
        </DangerDialog>
      )}
    </div>
  );
}
