import { t } from "../../text/index.js";
import { Button } from "../button.js";
import styles from "./list.module.css";

interface MoreProps {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Below what is read slice by slice: the way to the next one, where there is any. */
export const More = ({ of }: MoreProps) =>
  of.hasNextPage && (
    <div className={styles.more}>
      <Button size="small" busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {t.list.more}
      </Button>
    </div>
  );
