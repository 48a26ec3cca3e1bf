import { type ComponentProps, type ReactNode, useId } from "react";
import { t } from "../text/index.js";
import styles from "./field.module.css";
import { Icon } from "./icon.js";

interface Framing {
  label: string;
  optional?: boolean;
  hint?: ReactNode;
  /** Why what stands in it cannot be taken. */
  error?: string | undefined;
}

/** A label, the control and what is to be said about it, tied together for readers. */
function Framed({
  label,
  optional,
  hint,
  error,
  id,
  children,
}: Framing & { id: string; children: (told: ReturnType<typeof toldBy>) => ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label} {optional && <span>{t.states.optional}</span>}
      </label>
      {children(toldBy(id, hint, error))}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <Icon name="alertCircle" size={14} />
          {error}
        </p>
      )}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

const toldBy = (id: string, hint: ReactNode, error: string | undefined) => ({
  id,
  "aria-invalid": error ? true : undefined,
  "aria-describedby":
    [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter((one) => one !== "").join(" ") || undefined,
});

interface TextFieldProps extends Framing, Omit<ComponentProps<"input">, "onChange" | "value"> {
  value: string;
  onChange: (value: string) => void;
  /** What the number is of: `%`, `EUR`. */
  unit?: ReactNode;
  large?: boolean;
  mono?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, optional, hint, error, onChange, unit, large, mono, ...input } = props;
  const id = useId();
  return (
    <Framed {...{ label, optional, hint, error, id }}>
      {(told) => (
        <div
          className={styles.box}
          data-bad={error ? true : undefined}
          data-large={large || undefined}
          data-mono={mono || undefined}
        >
          <input {...input} {...told} onChange={(event) => onChange(event.target.value)} />
          {typeof unit === "string" ? <span className={styles.unit}>{unit}</span> : unit}
        </div>
      )}
    </Framed>
  );
}

interface ChoiceProps<Value extends string> extends Framing {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

export function SelectField<Value extends string>(props: ChoiceProps<Value>) {
  const { value, options, onChange, ...framing } = props;
  const id = useId();
  return (
    <Framed {...framing} id={id}>
      {(told) => (
        <div className={styles.box} data-bad={framing.error ? true : undefined}>
          <select {...told} value={value} onChange={(event) => onChange(event.target.value as Value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </div>
      )}
    </Framed>
  );
}

interface TextAreaProps extends Framing {
  value: string;
  onChange: (value: string) => void;
  rows?: number;
  mono?: boolean;
}

export function TextArea({ value, onChange, rows = 3, mono, ...framing }: TextAreaProps) {
  const id = useId();
  return (
    <Framed {...framing} id={id}>
      {(told) => (
        <div className={styles.box} data-bad={framing.error ? true : undefined}>
          <textarea
            {...told}
            rows={rows}
            data-mono={mono || undefined}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Framed>
  );
}

interface CheckProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const Check = ({ label, hint, checked, onChange }: CheckProps) => (
  <label className={styles.choice}>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>
      {label}
      {hint && <small>{hint}</small>}
    </span>
  </label>
);
