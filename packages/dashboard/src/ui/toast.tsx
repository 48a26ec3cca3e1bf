import { useSyncExternalStore } from "react";
import { t } from "../text/index.js";
import styles from "./toast.module.css";

interface Toast {
  id: number;
  words: string;
  undo?: (() => void) | undefined;
}

const shown_ms = 4_000;
const undo_ms = 10_000;

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

function put(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
const drop = (id: number) => put(toasts.filter((toast) => toast.id !== id));

/** Says that something was done, and how to undo it. What failed is said where it happened. */
export function toast(words: string, undo?: () => void): void {
  made += 1;
  const id = made;
  put([...toasts, { id, words, undo }]);
  setTimeout(() => drop(id), undo ? undo_ms : shown_ms);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={styles.toasts} role="status">
      {shown.map(({ id, words, undo }) => (
        <div key={id} className={styles.toast}>
          {words}
          {undo && (
            <button
              type="button"
              onClick={() => {
                undo();
                drop(id);
              }}
            >
              {t.states.undo}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
