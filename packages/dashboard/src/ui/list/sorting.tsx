import { t } from "../../text/index.js";
import styles from "./list.module.css";

interface SortingProps {
  value: string | undefined;
  /** The first is what a list is sorted by unless somebody says otherwise. */
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** What a list is sorted by. */
export const Sorting = ({ value, options, onChange }: SortingProps) => (
  <label className={styles.sort}>
    <span className="visually-hidden">{t.list.sort}</span>
    <select value={value ?? options[0]?.value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
);
