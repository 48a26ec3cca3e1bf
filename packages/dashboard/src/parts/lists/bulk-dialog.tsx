import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Dialog, DialogBody, FormDialog } from "../../ui/dialog.js";
import { TextField } from "../../ui/field.js";
import { Notice } from "../../ui/page.js";
import { Bar } from "../../ui/status.js";
import { Clip } from "../../ui/table/clip.js";
import { Table } from "../../ui/table/table.js";
import { toast } from "../../ui/toast.js";
import type { Act, Outcome } from "./acts.js";
import styles from "./lists.module.css";

const words = t.bulk;
/** From here on nobody loses anything by one press too many. */
const typed_from = 100;

interface BulkDialogProps<Row> {
  /** What is asked for anew once it is done: the list's name. */
  list: string;
  act: Act<Row>;
  rows: readonly Row[];
  /** Told when it is over: nothing is selected any more. */
  onDone: () => void;
  onClose: () => void;
}

/** Asks whether it is meant, says how far it is, and what was left as it was. */
export function BulkDialog<Row>({ list, act, rows, onDone, onClose }: BulkDialogProps<Row>) {
  const { count } = useProject();
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const stopping = useRef(new AbortController());
  useEffect(() => {
    // A page that is drawn twice, as in development, has ended it already.
    stopping.current = new AbortController();
    return () => stopping.current.abort();
  }, []);
  const many = count(rows.length);
  const run = useMutation({
    mutationFn: (given: string) => {
      const { signal } = stopping.current;
      return act.run(rows, given, { signal, onProgress: setDone });
    },
    onSuccess: async ({ tried, left }) => {
      const is_whole = tried === rows.length && left.length === 0;
      if (is_whole) {
        toast(act.done(many));
        onClose();
        onDone();
      }
      await queries.invalidateQueries({ queryKey: [list] });
    },
  });
  const stop = () => stopping.current.abort();
  const title = act.title(many);
  if (run.data) {
    const close = () => {
      onClose();
      onDone();
    };
    return (
      <Dialog title={title} onClose={close}>
        <Became of={run.data} count={rows.length} onClose={close} />
      </Dialog>
    );
  }
  if (!run.isPending)
    return (
      <Ask
        act={act}
        count={rows.length}
        error={reasonIn(run.error)}
        onSubmit={(given) => run.mutate(given)}
        onClose={onClose}
      />
    );
  const leave = () => {
    toast(words.goes_on);
    onClose();
    onDone();
  };
  return (
    <Dialog title={title} onClose={act.goes_on ? leave : stop}>
      <DialogBody>
        <div className={styles.progress} role="status">
          {words.progress(count(done), many)}
          <Bar part={done / rows.length} />
        </div>
        <div className={styles.end}>
          <Button onClick={act.goes_on ? leave : stop}>{act.goes_on ? words.leave : words.stop}</Button>
        </div>
      </DialogBody>
    </Dialog>
  );
}

interface AskProps<Row> {
  act: Act<Row>;
  count: number;
  error: string | undefined;
  onSubmit: (given: string) => void;
  onClose: () => void;
}

function Ask<Row>({ act, count: rows, error, onSubmit, onClose }: AskProps<Row>) {
  const { count } = useProject();
  const [given, setGiven] = useState(act.asks?.initial ?? "");
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState(false);
  const many = count(rows);
  const fault = act.asks?.fault?.(given);
  const is_typed = act.danger && rows > typed_from;
  const typed_fault = is_typed && typed.replace(/\D/g, "") !== String(rows) ? words.confirm_bad(many) : undefined;
  const submit = () => {
    setAsked(true);
    if (!fault && !typed_fault) onSubmit(given);
  };
  return (
    <FormDialog
      title={act.title(many)}
      submit={act.title(many)}
      danger={act.danger ?? false}
      busy={false}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      {act.lead && <p>{act.lead}</p>}
      {act.asks?.field({ value: given, onChange: setGiven, error: asked ? fault : undefined })}
      {is_typed && (
        <TextField
          label={words.confirm(many)}
          inputMode="numeric"
          value={typed}
          onChange={setTyped}
          error={asked ? typed_fault : undefined}
        />
      )}
    </FormDialog>
  );
}

const rows_shown = 200;

function Became({ of: { tried, left }, count: all, onClose }: { of: Outcome; count: number; onClose: () => void }) {
  const { count } = useProject();
  const shown = left.slice(0, rows_shown).map((one, place) => ({ ...one, place: String(place) }));
  return (
    <DialogBody>
      <Notice tone="warn">
        {words.outcome(count(tried - left.length), count(left.length))}
        {tried < all && <> · {words.not_reached(count(all - tried))}</>}
      </Notice>
      {shown.length > 0 && (
        <div className={styles.left}>
          <Table
            label={words.left}
            rows={shown}
            keyOf={({ place }) => place}
            columns={[
              { name: words.thing, cell: ({ name }) => <Clip code>{name}</Clip> },
              { name: words.why, cell: ({ why }) => <Clip>{why}</Clip> },
            ]}
          />
        </div>
      )}
      {left.length > shown.length && <p>{words.only_first(count(shown.length))}</p>}
      <div className={styles.end}>
        <Button onClick={onClose}>{t.states.close}</Button>
      </div>
    </DialogBody>
  );
}
