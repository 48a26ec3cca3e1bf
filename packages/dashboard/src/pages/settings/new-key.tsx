import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { t } from "../../text/index.js";
import { FormDialog } from "../../ui/dialog.js";
import { SelectField, TextField } from "../../ui/field.js";
import { type Key, type Made, useKeyDeeds } from "./keys.queries.js";
import { roles } from "./roles.js";

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const { create } = useKeyDeeds();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Key["kind"]>("server");
  const [role, setRole] = useState<(typeof roles)[number]>("ADMIN");
  const [asked, setAsked] = useState(false);
  const submit = () => {
    setAsked(true);
    if (name.trim() === "") return;
    create.mutate({ name: name.trim(), kind, ...(kind === "server" ? { role } : {}) }, { onSuccess: onMade });
  };
  return (
    <FormDialog
      title={t.keys.add}
      submit={t.keys.create}
      busy={create.isPending}
      error={reasonIn(create.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t.keys.name}
        hint={t.keys.name_hint}
        value={name}
        onChange={setName}
        error={asked && name.trim() === "" ? t.keys.name_missing : undefined}
      />
      <SelectField
        label={t.keys.kind}
        hint={t.keys.kind_hints[kind]}
        value={kind}
        options={(["server", "client"] as const).map((value) => ({ value, label: t.keys.kinds[value] }))}
        onChange={setKind}
      />
      {kind === "server" && (
        <SelectField
          label={t.keys.role}
          hint={t.members.role_hints[role]}
          value={role}
          options={roles.map((value) => ({ value, label: t.members.roles[value] }))}
          onChange={setRole}
        />
      )}
    </FormDialog>
  );
}
