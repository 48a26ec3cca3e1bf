import { Menu } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { t } from "../../text/index.js";
import { Button } from "../button.js";
import { TextField } from "../field.js";
import { Icon } from "../icon.js";
import styles from "./list.module.css";

/** What a list may be narrowed by: one of some values, or a text. */
export interface Filter {
  name: string;
  label: string;
  /** Left out: whatever somebody types. */
  options?: readonly { value: string; label: string }[];
}

interface FilterBarProps {
  filters: readonly Filter[];
  values: Readonly<Record<string, string | undefined>>;
  onChange: (values: Record<string, string | undefined>) => void;
  /** The filter that has a field of its own. */
  find?: Filter;
  /** What stands behind them. */
  beside?: ReactNode;
  /** How many there are, and what else stands at the end. */
  children?: ReactNode;
}

/** The filters of a list, each a chip; they stand in the address, so that Back brings them back. */
export function FilterBar({ filters, values, onChange, find, beside, children }: FilterBarProps) {
  const set = (name: string, value: string | undefined) => onChange({ ...values, [name]: value });
  const narrowed = [...filters, ...(find ? [find] : [])].some(({ name }) => values[name] !== undefined);
  const nothing = () => onChange(Object.fromEntries(Object.keys(values).map((name) => [name, undefined])));
  return (
    <search className={styles.bar} aria-label={t.list.filters}>
      {find && <Find key={values[find.name] ?? ""} filter={find} value={values[find.name]} onChange={set} />}
      {filters.map((filter) => (
        <Chip key={filter.name} filter={filter} value={values[filter.name]} onChange={set} />
      ))}
      {narrowed && (
        <Button kind="quiet" size="small" onClick={nothing}>
          {t.list.clear}
        </Button>
      )}
      {beside}
      <div className={styles.end}>{children}</div>
    </search>
  );
}

interface ChipProps {
  filter: Filter;
  value: string | undefined;
  onChange: (name: string, value: string | undefined) => void;
}

function Find({ filter, value = "", onChange }: ChipProps) {
  const [typed, setTyped] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(filter.name, typed.trim() || undefined);
  };
  return (
    <form className={styles.find} onSubmit={submit}>
      <Icon name="search" size={16} />
      <input
        aria-label={filter.label}
        placeholder={filter.label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}

function Chip({ filter: { name, label, options }, value, onChange }: ChipProps) {
  const shown = options?.find((option) => option.value === value)?.label ?? value;
  const [opened, setOpened] = useState(false);
  return (
    <span className={styles.chip} data-empty={value === undefined || undefined}>
      <Menu position="bottom-start" opened={opened} onChange={setOpened}>
        <Menu.Target>
          <button type="button">
            {value === undefined && <Icon name="plus" size={14} />}
            {label}
            {shown !== undefined && <strong>{shown}</strong>}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {options ? (
            options.map((option) => (
              <Menu.Item key={option.value} onClick={() => onChange(name, option.value)}>
                {option.label}
              </Menu.Item>
            ))
          ) : (
            <Typed
              label={label}
              value={value ?? ""}
              onSubmit={(typed) => {
                setOpened(false);
                onChange(name, typed);
              }}
            />
          )}
        </Menu.Dropdown>
      </Menu>
      {value !== undefined && (
        <button type="button" data-remove aria-label={t.list.remove(label)} onClick={() => onChange(name, undefined)}>
          <Icon name="x" size={14} />
        </button>
      )}
    </span>
  );
}

interface TypedProps {
  label: string;
  value: string;
  onSubmit: (typed: string | undefined) => void;
}

function Typed({ label, value, onSubmit }: TypedProps) {
  const [typed, setTyped] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(typed.trim() || undefined);
  };
  return (
    <form className={styles.type} onSubmit={submit}>
      <TextField label={label} value={typed} onChange={setTyped} data-autofocus />
      <Button type="submit" size="small">
        {t.list.apply}
      </Button>
    </form>
  );
}
