import { useProject } from "../../api/project.js";
import type { Rules } from "../../parts/rules/logic.js";
import { nameWords } from "../../parts/rules/rule-fields.js";
import styles from "../../parts/rules/trying.module.css";
import { t } from "../../text/index.js";
import { Button, IconButton } from "../../ui/button.js";
import { TextField } from "../../ui/field.js";
import { type CartFaults, type CartForm, type Line, metadataIn, metadataName } from "./cart.js";

const words = t.rules.tester;

interface CartProps {
  cart: CartForm;
  faults: CartFaults | null;
  /** What of metadata is asked for depends on it. */
  rules: Rules | null;
  /** That nobody has the name that was typed. */
  nobody: string | undefined;
  onChange: (cart: CartForm) => void;
}

/** What a rule is tried with. */
export function CartFields({ cart, faults, rules, nobody, onChange }: CartProps) {
  const { currency } = useProject();
  const set = (change: Partial<CartForm>) => onChange({ ...cart, ...change });
  return (
    <div className={styles.cart}>
      <div className={styles.two}>
        <TextField
          label={words.amount}
          inputMode="decimal"
          unit={currency}
          value={cart.amount}
          error={faults?.amount}
          onChange={(amount) => set({ amount })}
        />
        <TextField
          label={words.percent}
          inputMode="decimal"
          unit="%"
          value={cart.percent}
          error={faults?.percent}
          onChange={(percent) => set({ percent })}
        />
      </div>
      <Lines lines={cart.lines} faults={faults?.lines ?? []} onChange={(lines) => set({ lines })} />
      <TextField
        label={words.customer}
        hint={words.customer_hint}
        dir="auto"
        value={cart.customer}
        error={nobody}
        onChange={(customer) => set({ customer })}
      />
      {(rules ? metadataIn(rules) : []).map((leaf) => (
        <TextField
          key={metadataName(leaf)}
          label={nameWords(leaf)}
          dir="auto"
          value={cart.metadata[metadataName(leaf)] ?? ""}
          onChange={(value) => set({ metadata: { ...cart.metadata, [metadataName(leaf)]: value } })}
        />
      ))}
    </div>
  );
}

interface LinesProps {
  lines: readonly Line[];
  faults: CartFaults["lines"];
  onChange: (lines: readonly Line[]) => void;
}

function Lines({ lines, faults, onChange }: LinesProps) {
  const { currency } = useProject();
  const change = (key: number, to: Partial<Line>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...to } : line)));
  const key = Math.max(-1, ...lines.map((line) => line.key)) + 1;
  return (
    <>
      {lines.map((line, i) => (
        <fieldset key={line.key} className={styles.line}>
          <legend className="visually-hidden">{words.line(i + 1)}</legend>
          <TextField
            label={words.what}
            quiet
            placeholder={words.what}
            value={line.what}
            error={faults[i]?.what}
            onChange={(what) => change(line.key, { what })}
          />
          <TextField
            label={words.quantity}
            quiet
            inputMode="numeric"
            value={line.quantity}
            error={faults[i]?.quantity}
            onChange={(quantity) => change(line.key, { quantity })}
          />
          <TextField
            label={words.price}
            quiet
            inputMode="decimal"
            placeholder={`${words.price}, ${currency}`}
            value={line.price}
            error={faults[i]?.price}
            onChange={(price) => change(line.key, { price })}
          />
          <IconButton
            icon="x"
            label={words.remove_line(i + 1)}
            onClick={() => onChange(lines.filter((one) => one.key !== line.key))}
          />
        </fieldset>
      ))}
      <div>
        <Button
          icon="plus"
          size="small"
          onClick={() => onChange([...lines, { key, what: "", quantity: "1", price: "" }])}
        >
          {words.add_line}
        </Button>
      </div>
    </>
  );
}
