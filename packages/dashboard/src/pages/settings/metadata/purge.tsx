import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useProject } from "../../../api/project.js";
import { DangerDialog } from "../../../parts/danger-dialog.js";
import { t } from "../../../text/index.js";
import { look, withIcon } from "../../../ui/button.js";
import { Dialog, DialogBody } from "../../../ui/dialog.js";
import { TextField } from "../../../ui/field.js";
import { Notice } from "../../../ui/page.js";
import { usePurge } from "./metadata.queries.js";
import type { Purged } from "./objects.js";

const words = t.metadata;

interface PurgeProps {
  object: Purged;
  /** The key of a removed definition; left out: one that never had any. */
  of?: string | undefined;
  onClose: () => void;
}

/** Takes a key out of everything of a kind, once somebody has typed which: nothing brings the values back. */
export function Purge({ object, of, onClose }: PurgeProps) {
  const { id, may } = useProject();
  const purge = usePurge(object);
  const [key, setKey] = useState("");
  const [asked, setAsked] = useState(false);
  const fault = key === "" ? words.key_missing : of !== undefined && key !== of ? words.key_differs(of) : undefined;
  const many = words.objects[object].toLowerCase();
  const title = of === undefined ? words.purge_another : words.purge_title(of);
  if (purge.data)
    return (
      <Dialog title={title} onClose={onClose}>
        <DialogBody>
          <Notice tone="ok">{words.purge_began(key, many)}</Notice>
          {may("async-actions.read") && (
            <div>
              <Link {...look({ kind: "primary" })} to={`/p/${id}/tasks/${purge.data.async_action_id}`}>
                {withIcon("progressCheck", words.follow)}
              </Link>
            </div>
          )}
        </DialogBody>
      </Dialog>
    );
  return (
    <DangerDialog
      deed={purge}
      title={title}
      submit={words.purge_submit}
      onSubmit={() => {
        setAsked(true);
        if (fault === undefined) purge.mutate(key);
      }}
      onClose={onClose}
    >
      <p>{words.purge_lead(many)}</p>
      <TextField
        label={of === undefined ? words.key : words.key_again(of)}
        value={key}
        onChange={setKey}
        autoComplete="off"
        spellCheck={false}
        mono
        error={asked ? fault : undefined}
      />
    </DangerDialog>
  );
}
