import type { ReactNode } from "react";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Spark } from "../../ui/chart/spark.js";
import { Change } from "./change.js";
import styles from "./overview.module.css";
import type { Overview } from "./overview.queries.js";

const words = t.overview;

/** The four numbers that one looks at first. */
export function Tiles({ overview: { tiles, before, trend, active_campaigns, alerts } }: { overview: Overview }) {
  const { count, money } = useProject();
  const ending = alerts.find(({ kind }) => kind === "campaigns_ending")?.count ?? 0;
  return (
    <div className={styles.tiles}>
      <Tile
        name={words.redemptions}
        value={count(tiles.redemptions)}
        change={<Change now={tiles.redemptions} before={before.redemptions} />}
        note={words.rolled_back(count(tiles.rollbacks))}
        values={trend.map(({ redemptions }) => redemptions)}
      />
      <Tile
        name={words.revenue}
        value={money(tiles.discount_amount)}
        change={<Change now={tiles.discount_amount} before={before.discount_amount} />}
        note={words.of_orders(money(tiles.orders_amount))}
        values={trend.map(({ discount_amount }) => discount_amount)}
      />
      <Tile
        name={words.active_campaigns}
        value={count(active_campaigns)}
        note={ending > 0 ? words.ending(count(ending)) : words.none_ending}
      />
      <Tile
        name={words.customers}
        value={count(tiles.customers)}
        change={<Change now={tiles.customers} before={before.customers} />}
        note={words.published(count(tiles.publications))}
        values={trend.map(({ customers }) => customers)}
      />
    </div>
  );
}

interface TileProps {
  name: string;
  value: string;
  change?: ReactNode;
  note: string;
  values?: readonly number[];
}

const Tile = ({ name, value, change, note, values }: TileProps) => (
  <section className={styles.tile} aria-label={name}>
    <h2>{name}</h2>
    <strong>{value}</strong>
    <p>
      {change} {note}
    </p>
    {values && <Spark values={values} />}
  </section>
);
