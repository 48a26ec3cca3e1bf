import styles from "./chart.module.css";
import { areaOf, lineOf } from "./scale.js";

const [width, height] = [84, 30];

/** The shape of some values and no more: what they are stands beside it in words. */
export function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 1);
  const box = { width, height: height - 2, most };
  return (
    <svg className={styles.spark} width={width} height={height} viewBox={`0 -1 ${width} ${height}`} aria-hidden="true">
      <path className={styles.area} d={areaOf(values, box)} />
      <path className={styles.line} d={lineOf(values, box)} />
    </svg>
  );
}
