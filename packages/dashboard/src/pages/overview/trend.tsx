import { useState } from "react";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Legend, LineChart } from "../../ui/chart/line-chart.js";
import { Card } from "../../ui/page.js";
import { Table } from "../../ui/table/table.js";
import styles from "./overview.module.css";
import type { Overview } from "./overview.queries.js";

const words = t.overview;
type Place = Overview["trend"][number];

/** What was redeemed and what was refused, over time. */
export function Trend({ trend }: { trend: Overview["trend"] }) {
  const { count, dates } = useProject();
  const [as_table, setAsTable] = useState(false);
  const by_hour = trend[0]?.at.includes("T") === true;
  const placeOf = ({ at }: Place) => (by_hour ? dates.time(at).slice(0, 5) : dates.calendarDay(at));
  const inFull = ({ at }: Place) => (by_hour ? dates.minute(at) : dates.calendarDay(at, "full"));
  const shareOf = ({ redemptions, refusals }: Place) =>
    refusals === 0 ? "" : ` · ${Math.round((100 * refusals) / (redemptions + refusals))} %`;
  const series = [
    { name: words.succeeded, values: trend.map(({ redemptions }) => redemptions) },
    {
      name: words.failed,
      values: trend.map(({ refusals }) => refusals),
      note: (place: number) => (trend[place] ? shareOf(trend[place]) : ""),
    },
  ];
  const places = trend.map(placeOf);
  if (places.length > 0) places[places.length - 1] = by_hour ? words.now : words.today;
  const head = (
    <div className={styles.chartHead}>
      <Legend series={series} />
      <Button kind="quiet" size="small" icon="table" aria-pressed={as_table} onClick={() => setAsTable(!as_table)}>
        {words.as_table}
      </Button>
    </div>
  );
  return (
    <Card title={words.trend} action={head}>
      {as_table ? (
        <div className={styles.asTable}>
          <Table
            label={words.trend}
            rows={trend.toReversed()}
            keyOf={({ at }) => at}
            columns={[
              { name: by_hour ? words.hour : words.day, cell: inFull },
              { name: words.succeeded, align: "right", cell: ({ redemptions }) => count(redemptions) },
              {
                name: words.failed,
                align: "right",
                cell: (place) => `${count(place.refusals)}${shareOf(place)}`,
              },
            ]}
          />
        </div>
      ) : (
        <LineChart
          label={`${words.trend}. ${words.steer}`}
          places={places}
          placeWords={(place) => (trend[place] ? inFull(trend[place]) : "")}
          series={series}
          count={count}
        />
      )}
    </Card>
  );
}
