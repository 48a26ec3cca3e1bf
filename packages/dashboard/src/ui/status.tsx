import { Icon, type IconName } from "./icon.js";
import styles from "./status.module.css";

export type Tone = "ok" | "bad" | "info" | "warn" | "mute";

interface StatusProps {
  tone: Tone;
  icon: IconName;
  children: string;
}

/** An icon and a word: never a colour alone. */
export const Status = ({ tone, icon, children }: StatusProps) => (
  <span className={styles.status} data-tone={tone}>
    <Icon name={icon} size={15} />
    {children}
  </span>
);

/** How much of something there is; what it is of stands beside it in words. */
export const Bar = ({ part, tone }: { part: number; tone?: "bad" }) => (
  <div className={styles.bar} data-tone={tone} aria-hidden="true">
    <span style={{ width: `${Math.min(100, Math.max(0, part * 100))}%` }} />
  </div>
);
