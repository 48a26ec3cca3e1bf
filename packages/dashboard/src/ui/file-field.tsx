import { type DragEvent, type ReactNode, useId, useState } from "react";
import styles from "./file-field.module.css";
import { Icon } from "./icon.js";

interface FileFieldProps {
  label: string;
  /** What the browser offers; another file may be dropped all the same. */
  accept: string;
  /** What is pressed to choose one. */
  choose: string;
  or_drop: string;
  /** The one that was chosen, in a line. */
  chosen?: ReactNode;
  hint: string;
  error?: string | undefined;
  onChoose: (file: File) => void;
}

/** A file of one's own, chosen or dropped. */
export function FileField({ label, accept, choose, or_drop, chosen, hint, error, onChoose }: FileFieldProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onChoose(file);
  };
  return (
    <div className={styles.field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drop a file has the field in it. */}
      <div
        className={styles.zone}
        data-over={over || undefined}
        data-bad={error ? true : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          id={id}
          type="file"
          accept={accept}
          className="visually-hidden"
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The same one again, edited meanwhile, is another choice.
            target.value = "";
            if (file) onChoose(file);
          }}
        />
        <Icon name="upload" size={20} />
        {chosen && <span className={styles.chosen}>{chosen}</span>}
        <span>
          <label htmlFor={id}>{choose}</label> {or_drop}
        </span>
      </div>
      {error && (
        <p className={styles.error} id={`${id}-error`} role="alert">
          <Icon name="alertCircle" size={14} />
          {error}
        </p>
      )}
      <p className={styles.hint} id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
