import { t } from "../../text/index.js";
import { Icon } from "../../ui/icon.js";
import styles from "./overview.module.css";

const words = t.overview;

/** How much more or less it is than before; nothing where there was nothing to compare with. */
export function Change({ now, before }: { now: number; before: number }) {
  if (before === 0) return now === 0 ? null : <span className={styles.new}>{words.new}</span>;
  const percent = (100 * (now - before)) / before;
  const shown = Math.abs(percent) < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  if (shown === 0) return <span className={styles.new}>0 %</span>;
  return (
    <span className={styles.change} data-less={shown < 0 || undefined}>
      <Icon name={shown < 0 ? "arrowDownRight" : "arrowUpRight"} size={14} />
      {Math.abs(shown)} %<span className="visually-hidden"> {shown < 0 ? words.less : words.more}</span>
    </span>
  );
}
