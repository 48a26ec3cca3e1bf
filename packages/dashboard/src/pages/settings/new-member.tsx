import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { t } from "../../text/index.js";
import { FormDialog } from "../../ui/dialog.js";
import { SelectField, TextField } from "../../ui/field.js";
import { useMemberDeeds } from "./members.queries.js";
import { hintOfRole, type NamedRole } from "./roles.js";

export function NewMember({ roles, onClose }: { roles: readonly NamedRole[]; onClose: () => void }) {
  const { add } = useMemberDeeds();
  const [form, setForm] = useState({ email: "", first_name: "", last_name: "" });
  const [role, setRole] = useState("USER");
  const [asked, setAsked] = useState(false);
  const faults = {
    email: /^[^@\s]+@[^@\s]+$/.test(form.email) ? undefined : t.members.no_email,
    first_name: form.first_name.trim() === "" ? t.members.missing : undefined,
    last_name: form.last_name.trim() === "" ? t.members.missing : undefined,
  };
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (value: string) => setForm({ ...form, [name]: value }),
    error: asked ? faults[name] : undefined,
  });
  const submit = () => {
    setAsked(true);
    if (Object.values(faults).every((fault) => fault === undefined))
      add.mutate({ ...form, role }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t.members.add}
      submit={t.members.submit}
      busy={add.isPending}
      error={reasonIn(add.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.members.invite_lead}</p>
      <TextField label={t.sign_in.email} type="email" {...field("email")} />
      <TextField label={t.members.first_name} {...field("first_name")} />
      <TextField label={t.members.last_name} {...field("last_name")} />
      <SelectField
        label={t.members.role}
        hint={hintOfRole(role)}
        value={role}
        options={roles.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setRole}
      />
    </FormDialog>
  );
}
