import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type Me, type OwnProject, permissionsIn } from "../api/me.js";
import { t } from "../text/index.js";
import { Dialog, DialogBody } from "../ui/dialog.js";
import { Check } from "../ui/field.js";
import { groupsFor } from "./entries.js";
import styles from "./letters.module.css";
import { areLettersOn, isTyping, switchLetters } from "./letters-on.js";

/** How long `g` waits for the letter behind it. */
const second_ms = 1_500;

/** Letters as keys: where to go, what is new, one row after the other, and what there is of them (`?`). */
export function Letters({ me, project }: { me: Me; project: OwnProject | undefined }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  /** When `g` was pressed; a page that is drawn anew meanwhile does not forget it. */
  const went_at = useRef(Number.NEGATIVE_INFINITY);
  const entries = project ? groupsFor(permissionsIn(me, project)).flatMap((group) => group.entries) : [];
  useEffect(() => {
    const goTo = (letter: string) => {
      const entry = entries.find((one) => one.letter === letter);
      if (entry && project) router.history.push(`/p/${project.id}/${entry.path}`);
      return entry !== undefined;
    };
    const done = (key: string): boolean => {
      const is_second = performance.now() - went_at.current < second_ms;
      went_at.current = key === "g" && !is_second ? performance.now() : Number.NEGATIVE_INFINITY;
      if (is_second) return goTo(key);
      if (key === "c") return followNew();
      if (key === "x") return tickRow();
      if (key === "j" || key === "ArrowDown") return stepTo(1);
      return (key === "k" || key === "ArrowUp") && stepTo(-1);
    };
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target)) return;
      // A dialog has keys of its own.
      if (document.querySelector("dialog[open], [role=menu]")) return;
      if (key === "?") setOpen(true);
      else if (!(key.length > 1 ? isRow(target) : areLettersOn()) || !done(key)) return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return open ? <Keys entries={entries} onClose={() => setOpen(false)} /> : null;
}

/** The links that rows of the page's first table begin with. */
const rows = () =>
  [...(document.querySelector("main table tbody")?.querySelectorAll("tr") ?? [])].flatMap(
    (row) => row.querySelector<HTMLElement>("a") ?? [],
  );

const isRow = (target: EventTarget | null) => rows().some((row) => row === target);

function stepTo(by: 1 | -1): boolean {
  const all = rows();
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = all[at === -1 && by === -1 ? all.length - 1 : at + by];
  next?.focus();
  return next !== undefined;
}

/** Selects the row that has the focus, or what is in it, where rows can be selected. */
function tickRow(): boolean {
  const box = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("input[type=checkbox]");
  box?.click();
  return box !== undefined && box !== null;
}

function followNew(): boolean {
  const link = document.querySelector<HTMLElement>('main a[href$="/new"], main a[href*="/new/"]');
  link?.click();
  return link !== null;
}

interface KeysProps {
  entries: readonly { path: string; letter: string; label: string }[];
  onClose: () => void;
}

function Keys({ entries, onClose }: KeysProps) {
  const [on, setOn] = useState(areLettersOn);
  const change = (is_on: boolean) => {
    switchLetters(is_on);
    setOn(is_on);
  };
  return (
    <Dialog title={t.letters.title} onClose={onClose}>
      <DialogBody>
        <Check label={t.letters.on} hint={t.letters.on_hint} checked={on} onChange={change} />
        <dl className={styles.keys}>
          {[...t.letters.of, ...entries.map(({ letter, label }) => [`g ${letter}`, label] as const)].map(
            ([keys, does]) => (
              <div key={keys}>
                <dt>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ),
          )}
        </dl>
      </DialogBody>
    </Dialog>
  );
}
