import { t } from "../../text/index.js";
import { Button } from "../button.js";
import styles from "./list.module.css";

interface PagesProps {
  found: string;
  /** Undefined where this is the first page; likewise the last. */
  onFirst?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/** Below a list: how much there is, and the way on. Backwards is what the browser's Back is for. */
export const Pages = ({ found, onFirst, onNext }: PagesProps) => (
  <div className={styles.foot}>
    <p>{found}</p>
    {onFirst && (
      <Button size="small" onClick={onFirst}>
        {t.list.first}
      </Button>
    )}
    {onNext && (
      <Button size="small" onClick={onNext}>
        {t.list.next}
      </Button>
    )}
  </div>
);
