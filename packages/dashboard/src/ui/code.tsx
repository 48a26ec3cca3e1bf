import styles from "./code.module.css";
import { Copy } from "./copy.js";

interface CodeProps {
  text: string;
  /** What is copied. */
  label: string;
  words: string;
}

/** Something to be pasted elsewhere, with the button for that. */
export const Code = ({ text, label, words }: CodeProps) => (
  <div className={styles.code}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <section tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <div>
      <Copy text={text} label={label} words={words} />
    </div>
  </div>
);
