import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../text/index.js";
import { Button, IconButton } from "./button.js";
import styles from "./dialog.module.css";
import { Notice } from "./page.js";

interface DialogProps {
  /** Named after the deed. */
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** Shown as long as it is there. The browser keeps the focus in it, gives it back, and lets Esc end it. */
export function Dialog({ title, onClose, wide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        <IconButton icon="x" label={t.states.close} onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

interface FormDialogProps extends DialogProps {
  /** What is pressed, named after the deed too. */
  submit: string;
  /** What leaves it, where that is more than not to do it. */
  cancel?: string;
  danger?: boolean;
  busy: boolean;
  /** Why it could not be done. */
  error?: string | undefined;
  onSubmit: () => void;
}

/** A question with an answer: stays open, and says why, where the answer is refused. */
export function FormDialog({
  submit,
  cancel = t.states.cancel,
  danger,
  busy,
  error,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <Dialog {...dialog}>
      <form className={styles.body} onSubmit={send} noValidate>
        {error && <Notice>{error}</Notice>}
        {children}
        <footer className={styles.foot}>
          <Button onClick={dialog.onClose}>{cancel}</Button>
          <Button type="submit" kind={danger ? "danger" : "primary"} busy={busy}>
            {submit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** What a dialog holds when it asks nothing. */
export const DialogBody = ({ children }: { children: ReactNode }) => <div className={styles.body}>{children}</div>;
