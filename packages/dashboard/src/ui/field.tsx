import { type ComponentProps, type ReactNode, useId } from "react";
import { t } from "../text/index.js";
import styles from "./field.module.css";
import { Icon } from "./icon.js";

interface Framing {
  label: string;
  /** Said to readers alone: what stands beside it tells everybody else. */
  quiet?: boolean | undefined;
  optional?: boolean;
  hint?: ReactNode;
  /** Why what stands in it cannot be taken. */
  error?: string | undefined;
}

/** A label, the control and what is to be said about it, tied together for readers. */
function Framed({
  label,
  quiet,
  optional,
  hint,
  error,
  id,
  children,
}: Framing & { id: string; children: (told: ReturnType<typeof toldBy>) => ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={quiet ? "visually-hidden" : styles.label} htmlFor={id}>
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
  const { label, quiet, optional, hint, error, onChange, unit, large, mono, ...input } = props;
  const id = useId();
  return (
    <Framed {...{ label, quiet, optional, hint, error, id }}>
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
  /** Those that follow one another with the same group stand under its name. */
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
}

interface Option<Value> {
  value: Value;
  label: string;
  group?: string;
}

export function SelectField<Value extends string>(props: ChoiceProps<Value>) {
  const { value, options, onChange, ...framing } = props;
  const id = useId();
  return (
    <Framed {...framing} id={id}>
      {(told) => (
        <div className={styles.box} data-bad={framing.error ? true : undefined}>
          <select {...told} value={value} onChange={(event) => onChange(event.target.value as Value)}>
            {grouped(options).map(([group, list]) =>
              group === undefined ? (
                list.map(optionOf)
              ) : (
                <optgroup key={group} label={group}>
                  {list.map(optionOf)}
                </optgroup>
              ),
            )}
          </select>
        </div>
      )}
    </Framed>
  );
}

const optionOf = ({ value, label }: Option<string>) => (
  <option key={value} value={value}>
    {label}
  </option>
);

function grouped<Value>(options: readonly Option<Value>[]): [string | undefined, Option<Value>[]][] {
  const groups: [string | undefined, Option<Value>[]][] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last && last[0] === option.group) last[1].push(option);
    else groups.push([option.group, [option]]);
  }
  return groups;
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

interface RadioProps {
  /** Of all that exclude one another. */
  name: string;
  label: string;
  hint?: string;
  checked: boolean;
  onChange: () => void;
}

export const Radio = ({ label, hint, ...input }: RadioProps) => (
  <label className={styles.choice}>
    <input type="radio" {...input} />
    <span>
      {label}
      {hint && <small>{hint}</small>}
    </span>
  </label>
);
