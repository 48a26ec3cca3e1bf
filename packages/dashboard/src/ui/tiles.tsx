import styles from "./tiles.module.css";

interface TilesProps {
  /** Name, number, and what is to be said about it. */
  of: readonly (readonly [string, string, string?])[];
}

/** A few numbers beside each other. */
export const Tiles = ({ of }: TilesProps) => (
  <dl className={styles.tiles}>
    {of.map(([name, value, note]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
        {note && <dd>{note}</dd>}
      </div>
    ))}
  </dl>
);
