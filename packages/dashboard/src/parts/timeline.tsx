import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Answer } from "../api/answer.js";
import type { Schemas } from "../api/client.js";
import { useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { Button } from "../ui/button.js";
import { Icon, type IconName } from "../ui/icon.js";
import { State } from "../ui/page.js";
import styles from "./timeline.module.css";

type Entry = Schemas["TimelineEntry"];

/** How an event looks: the first whose words are in its type. */
const looks: readonly (readonly [RegExp, "bad" | "ok" | "info" | "mute", IconName])[] = [
  [/failed$/, "bad", "circleX"],
  [/rollback/, "mute", "arrowBackUp"],
  [/^redemption/, "ok", "receipt2"],
  [/^publication/, "info", "send"],
  [/created$/, "mute", "plus"],
  [/disabled$/, "mute", "ban"],
  [/enabled$/, "ok", "playerPlay"],
  [/balance|points/, "info", "creditCard"],
  [/deleted$/, "mute", "trash"],
  [/.*/, "mute", "adjustmentsHorizontal"],
];

/** An event that has no words of its own yet is told by its name. */
const wordsOf = (type: string) =>
  t.timeline.events[type] ?? type.replaceAll(/[._]/g, " ").replace(/^./, (letter) => letter.toUpperCase());

interface TimelineProps {
  of: UseInfiniteQueryResult<InfiniteData<Schemas["TimelineSlice"]>>;
}

/** What happened to a thing, newest first: who did it, in which request. */
export function Timeline({ of }: TimelineProps) {
  return (
    <Answer of={of} what={t.vouchers.timeline}>
      {({ pages }) => {
        const entries = pages.flatMap(({ data }) => data);
        if (entries.length === 0) return <State icon="history" title={t.timeline.none} />;
        return (
          <>
            <ol className={styles.timeline}>
              {entries.map((entry) => (
                <Line key={entry.id} entry={entry} />
              ))}
            </ol>
            {of.hasNextPage && (
              <div className={styles.more}>
                <Button size="small" busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
                  {t.timeline.older}
                </Button>
              </div>
            )}
          </>
        );
      }}
    </Answer>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { dates } = useProject();
  const [, tone, icon] = looks.find(([words]) => words.test(entry.type)) ?? [null, "mute" as const, "tag" as const];
  return (
    <li className={styles.entry}>
      <span className={styles.dot} data-tone={tone}>
        <Icon name={icon} size={15} />
      </span>
      <span className={styles.what}>
        <strong>{wordsOf(entry.type)}</strong>
        {detailOf(entry)}
      </span>
      <span className={styles.who}>{whoOf(entry)}</span>
      <code title={entry.request_id}>{entry.request_id.slice(0, 10)}</code>
      <time dateTime={entry.created_at} title={entry.created_at}>
        {dates.moment(entry.created_at)}
      </time>
    </li>
  );
}

/** The one thing worth reading beside what happened. */
function detailOf({ data }: Entry): string {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const within = (key: string) => (data[key] ?? {}) as Record<string, unknown>;
  const redemption = within("redemption");
  return (
    text(redemption.failure_message) ||
    text(redemption.reason) ||
    text(within("balance").reason) ||
    text(within("customer").name) ||
    text(within("customer").source_id)
  );
}

function whoOf({ event_source }: Entry): string {
  const { channel, user, api_key } = event_source as {
    channel?: string;
    user?: { name?: string } | null;
    api_key?: { name?: string } | null;
  };
  return user?.name || api_key?.name || t.timeline.by[channel ?? ""] || channel || "";
}
