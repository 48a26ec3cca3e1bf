import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Clash, clashesOf, type Parts, settled } from "./clash.js";
import { ClashDialog } from "./clash-dialog.js";

interface Edits<Thing, Form, Saved> {
  /** As it was when this began, whatever is read anew meanwhile. Null: it is made. */
  of: Thing | null;
  formOf: (thing: Thing | null) => Form;
  /** The thing as it is at this moment: of no cache. */
  read: (thing: Thing, form: Form) => Promise<Thing>;
  /** Of what others may change, what the form shows. */
  parts: Parts<Form>;
  /** Sends what the form says differently from the thing, as it was a moment ago. */
  write: (before: Thing | null, form: Form) => Promise<Saved>;
  onSaved: (saved: Saved) => unknown;
}

/** Somebody else was quicker. */
class Clashed extends Error {
  constructor(
    readonly now: unknown,
    readonly clashes: readonly unknown[],
  ) {
    super("It was changed meanwhile.");
  }
}

export interface Editing<Form> {
  form: Form;
  set: (change: Partial<Form>) => void;
  /** What was sent last, another object each time; null: nothing yet. */
  sent: Form | null;
  /** Saves, unless something is wrong that is shown from now on. */
  submit: (is_right: boolean) => void;
  is_saving: boolean;
  /** Why the service did not take it. */
  error: Error | null;
  /** What others have changed meanwhile, to be shown with the form. */
  clash: ReactNode;
}

/**
 * A form over something that others may edit as well. Before it is saved the thing is read once more; what somebody else has changed
 * since is shown beside what was typed, and nothing is written before somebody has chosen (ADR 90).
 */
export function useEditing<Thing, Form extends object, Saved>(edits: Edits<Thing, Form, Saved>): Editing<Form> {
  const { formOf, read, parts, write, onSaved } = edits;
  const [opened, setOpened] = useState(edits.of);
  const [form, setForm] = useState(() => formOf(edits.of));
  const [sent, setSent] = useState<Form | null>(null);
  const save = useMutation({
    mutationFn: async ({ before, mine }: { before: Thing | null; mine: Form }) => {
      if (before === null) return write(null, mine);
      const now = await read(before, mine);
      const clashes = clashesOf(parts, formOf(before), formOf(now), mine);
      if (clashes.length > 0) throw new Clashed(now, clashes);
      return write(now, mine);
    },
    onSuccess: onSaved,
  });
  const send = (before: Thing | null, mine: Form) => {
    setSent({ ...mine });
    save.mutate({ before, mine });
  };
  const settle = (now: Thing, mine: Form) => {
    setOpened(now);
    setForm(mine);
    send(now, mine);
  };
  const clashed = save.error instanceof Clashed ? save.error : null;
  const clashes = clashed?.clashes as readonly Clash<Form>[] | undefined;
  return {
    form,
    set: (change) => setForm({ ...form, ...change }),
    sent,
    submit: (is_right) => {
      if (!is_right) setSent({ ...form });
      else if (!save.isPending) send(opened, form);
    },
    is_saving: save.isPending,
    error: clashed ? null : save.error,
    clash: clashed && clashes && (
      <ClashDialog
        of={clashes}
        onClose={() => save.reset()}
        onSettle={(taken) => {
          const now = clashed.now as Thing;
          settle(now, settled(clashes, taken, form, formOf(now)));
        }}
      />
    ),
  };
}
