import { useProject } from "../../api/project.js";
import { typedOf, valuesIn } from "../../api/values.js";
import { t } from "../../text/index.js";
import { IconButton } from "../../ui/button.js";
import { SelectField, TextArea, TextField } from "../../ui/field.js";
import styles from "./conditions.module.css";
import type { Operands } from "./operands.js";

const words = t.conditions;

/** What has a name and is sent by its id. */
export interface Choice {
  id: string;
  name: string;
}

interface ValueProps {
  as: Operands;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  /** Of what a choice is made. */
  choices?: readonly Choice[] | undefined;
}

/** What a condition compares with. */
export function ValueField({ as, choices = [], ...typed }: ValueProps) {
  const { currency } = useProject();
  const props = { quiet: true, label: words.value, ...typed };
  switch (as) {
    case "none":
      return <span />;
    case "money":
      return <TextField {...props} inputMode="decimal" unit={currency} />;
    case "number":
      return <TextField {...props} inputMode="decimal" />;
    case "days":
      return <TextField {...props} inputMode="numeric" unit={words.days} />;
    case "day":
      return <TextField {...props} type="date" />;
    case "choice":
      return <ChoiceField {...props} choices={choices} />;
    default:
      return <TextArea {...props} rows={1} />;
  }
}

/** Some of many: those that were chosen, and a list of the others. */
function ChoiceField({ value, choices, onChange, ...props }: Omit<Required<ValueProps>, "as"> & { label: string }) {
  const chosen = valuesIn(value);
  const others = choices.filter(({ id }) => !chosen.includes(id));
  const first = { value: "", label: chosen.length === 0 ? words.choose : words.choose_another };
  const nameOf = (id: string) => choices.find((one) => one.id === id)?.name ?? id;
  return (
    <div className={styles.field}>
      {chosen.length > 0 && (
        <ul className={styles.chosen}>
          {chosen.map((id) => (
            <li key={id}>
              <bdi>{nameOf(id)}</bdi>
              <IconButton
                icon="x"
                size="small"
                label={words.unchoose(nameOf(id))}
                onClick={() => onChange(typedOf(chosen.filter((one) => one !== id)))}
              />
            </li>
          ))}
        </ul>
      )}
      <SelectField
        {...props}
        quiet
        value=""
        options={[first, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(id) => id !== "" && onChange(typedOf([...chosen, id]))}
      />
    </div>
  );
}
