import { useMemo } from "react";
import styles from "./json.module.css";
import { linesOf } from "./lines.js";

interface JsonProps {
  text: string;
  label: string;
  /** The field whose line stands out, on the first level. */
  marked?: string;
}

/** A body as one reads it: a field a line, numbered. */
export function Json({ text, label, marked }: JsonProps) {
  const lines = useMemo(() => linesOf(text), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={styles.json} aria-label={label} tabIndex={0}>
      {lines.map(({ depth, name, tokens }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is what its number says.
        <div key={i} className={styles.line} data-marked={(depth === 1 && name === marked) || undefined}>
          <span aria-hidden="true">{i + 1}</span>
          <code style={{ paddingLeft: `${depth * 2 + 4}ch` }}>
            {tokens.map(({ kind, text }, j) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <span key={j} data-kind={kind}>
                {text}
              </span>
            ))}
          </code>
        </div>
      ))}
    </section>
  );
}
