import { useProject } from "../../api/project.js";
import type { Rules } from "./logic.js";
import styles from "./rules.module.css";
import { type Names, sentenceParts } from "./sentence.js";

/** What a rule says, in sight wherever it is looked at or changed. */
export function SentenceLine({ of, names }: { of: Rules; names: Names }) {
  const project = useProject();
  return (
    <p className={styles.sentence} dir="auto">
      {sentenceParts(of, project, names).map(({ text, strong }, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is what its place says.
        strong ? <strong key={i}>{text}</strong> : text,
      )}
    </p>
  );
}
