import { useId, useState } from "react";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import type { Clash } from "./clash.js";
import styles from "./editing.module.css";

const words = t.editing;

interface ClashDialogProps<Form> {
  of: readonly Clash<Form>[];
  onClose: () => void;
  /** @param taken names of the parts that shall be as others have them */
  onSettle: (taken: ReadonlySet<string>) => void;
}

/** Theirs beside mine, part by part. What I did not touch is theirs unless I say so, what I typed is mine. */
export function ClashDialog<Form>({ of, onClose, onSettle }: ClashDialogProps<Form>) {
  const names = of.map(({ part }) => part.name);
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(of.filter(({ is_mine }) => !is_mine).map(({ part }) => part.name)),
  );
  const take = (name: string, is_taken: boolean) =>
    setTaken(new Set(names.filter((one) => (one === name ? is_taken : taken.has(one)))));
  return (
    <FormDialog
      title={words.title}
      submit={words.save}
      cancel={words.back}
      wide
      busy={false}
      onSubmit={() => onSettle(taken)}
      onClose={onClose}
    >
      <p>{words.lead}</p>
      <div className={styles.all}>
        <Button size="small" onClick={() => setTaken(new Set())}>
          {words.all_mine}
        </Button>
        <Button size="small" onClick={() => setTaken(new Set(names))}>
          {words.all_theirs}
        </Button>
      </div>
      {of.map((clash) => (
        <Choice
          key={clash.part.name}
          of={clash}
          is_taken={taken.has(clash.part.name)}
          onTake={(is_taken) => take(clash.part.name, is_taken)}
        />
      ))}
    </FormDialog>
  );
}

interface ChoiceProps {
  of: Pick<Clash<never>, "before" | "theirs" | "mine" | "is_mine"> & { part: { label: string } };
  is_taken: boolean;
  onTake: (is_taken: boolean) => void;
}

function Choice({ of: { part, before, theirs, mine, is_mine }, is_taken, onTake }: ChoiceProps) {
  const group = useId();
  const side = (label: string, value: string, checked: boolean, onChange: () => void, note?: string) => (
    <label className={styles.side}>
      <input type="radio" name={group} checked={checked} onChange={onChange} />
      <span>
        <strong>{label}</strong>
        <Said value={value} />
        {note && <small>{note}</small>}
      </span>
    </label>
  );
  return (
    <fieldset className={styles.choice}>
      <legend>
        <bdi>{part.label}</bdi>
      </legend>
      <div className={styles.sides}>
        {side(words.theirs, theirs, is_taken, () => onTake(true))}
        {side(words.mine, mine, !is_taken, () => onTake(false), is_mine ? undefined : words.left)}
      </div>
      {is_mine && <p className={styles.was}>{words.was(before === "" ? words.nothing : before)}</p>}
    </fieldset>
  );
}

const Said = ({ value }: { value: string }) =>
  value === "" ? <em>{words.nothing}</em> : <span dir="auto">{value}</span>;
