import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { PageHead } from "../../ui/page.js";
import { Attention } from "./attention.js";
import styles from "./overview.module.css";
import { type OverviewSearch, overviewQuery, type Window, windowOf, windows } from "./overview.queries.js";
import { Refusals } from "./refusals.js";
import { isEmpty, SampleNotice, SampleOffer } from "./sample.js";
import { Tiles } from "./tiles.js";
import { TopCampaigns } from "./top-campaigns.js";
import { Trend } from "./trend.js";

const words = t.overview;

/** How a project is doing, beside how it did before. */
export function OverviewPage() {
  const project = useProject();
  const window = windowOf(useSearch({ strict: false }) as OverviewSearch);
  const overview = useQuery(overviewQuery(project, window));
  const { data } = overview;
  // The end is the hour that comes; what ends with midnight has no part of the day that begins there.
  const range = data && project.dates.range(data.from, new Date(Date.parse(data.to) - 1).toISOString());
  return (
    <>
      <PageHead title={words.title} lead={range && words.compared(range, words.lengths[window])}>
        <Windows chosen={window} />
      </PageHead>
      <Answer of={overview} what={words.title}>
        {(overview) => (
          <div className={styles.page} aria-busy={overview !== data || undefined}>
            {project.fields.is_sample && <SampleNotice />}
            {!project.fields.is_sample && isEmpty(overview) && project.may("sample-shop.read") && <SampleOffer />}
            <Tiles overview={overview} />
            <Trend trend={overview.trend} />
            <Attention alerts={overview.alerts} />
            <TopCampaigns of={overview.top_campaigns} />
            <Refusals of={overview.refusals} total={overview.tiles.refusals} />
          </div>
        )}
      </Answer>
    </>
  );
}

const Windows = ({ chosen }: { chosen: Window }) => (
  <nav className={styles.windows} aria-label={words.window}>
    {windows.map((window) => (
      <Link
        key={window}
        to="."
        search={{ window } as never}
        aria-current={window === chosen ? "true" : undefined}
        activeProps={{}}
        resetScroll={false}
      >
        {words.windows[window]}
      </Link>
    ))}
  </nav>
);
