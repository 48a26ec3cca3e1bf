import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { bodyOf, organization, Refused } from "../../api/client.js";
import { datesOf } from "../../api/dates.js";
import { type Me, meQuery } from "../../api/me.js";
import { locale, t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { TextField } from "../../ui/field.js";
import { Card, Columns, Facts, Notice, PageHead, Stack, State } from "../../ui/page.js";
import { PasswordField } from "../../ui/password-field.js";
import { Table } from "../../ui/table/table.js";

/** One's own name, password and projects. */
export function Profile() {
  const { data: me } = useSuspenseQuery(meQuery);
  if (!me) return null;
  const { minute } = datesOf(Intl.DateTimeFormat().resolvedOptions().timeZone, locale);
  return (
    <>
      <PageHead title={t.me.title} lead={t.me.lead(me.email)} />
      <Columns>
        <Stack>
          <Names me={me} />
          <Password />
          <Projects me={me} />
        </Stack>
        <Card title={t.me.session}>
          <Facts
            of={[
              [t.me.since, minute(me.session.created_at)],
              [t.me.until, minute(me.session.expires_at)],
            ]}
          />
        </Card>
      </Columns>
    </>
  );
}

function Names({ me }: { me: Me }) {
  const queries = useQueryClient();
  const [names, setNames] = useState({ first_name: me.first_name, last_name: me.last_name });
  const save = useMutation({
    mutationFn: () => bodyOf(organization.PUT("/dashboard/v1/me", { body: names })),
    onSuccess: (saved) => queries.setQueryData(meQuery.queryKey, saved),
  });
  const [asked, setAsked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (names.first_name !== "" && names.last_name !== "") save.mutate();
  };
  const missing = (value: string) => (asked && value === "" ? t.welcome.missing : undefined);
  return (
    <Card title={t.me.name}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {save.error && <Notice>{save.error.message}</Notice>}
          {save.isSuccess && <Notice tone="ok">{t.states.saved}</Notice>}
          <TextField
            label={t.welcome.first_name}
            autoComplete="given-name"
            value={names.first_name}
            onChange={(first_name) => setNames({ ...names, first_name })}
            error={missing(names.first_name)}
          />
          <TextField
            label={t.welcome.last_name}
            autoComplete="family-name"
            value={names.last_name}
            onChange={(last_name) => setNames({ ...names, last_name })}
            error={missing(names.last_name)}
          />
          <div>
            <Button type="submit" busy={save.isPending}>
              {t.states.save}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

const empty = { current_password: "", password: "" };

function Password() {
  const [form, setForm] = useState(empty);
  const [asked, setAsked] = useState(false);
  const change = useMutation({
    mutationFn: () => bodyOf(organization.PUT("/dashboard/v1/me/password", { body: form })),
    onSuccess: () => {
      setForm(empty);
      setAsked(false);
    },
  });
  const is_short = form.password.length < 12;
  const is_wrong = change.error instanceof Refused && change.error.key === "wrong_password";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!is_short && form.current_password !== "") change.mutate();
  };
  return (
    <Card title={t.me.password} note={t.me.password_lead}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {change.error && !is_wrong && <Notice>{change.error.message}</Notice>}
          {change.isSuccess && <Notice tone="ok">{t.me.changed}</Notice>}
          <PasswordField
            label={t.me.current}
            autoComplete="current-password"
            value={form.current_password}
            onChange={(current_password) => setForm({ ...form, current_password })}
            error={is_wrong ? t.me.wrong : asked && form.current_password === "" ? t.welcome.missing : undefined}
          />
          <PasswordField
            label={t.me.next}
            autoComplete="new-password"
            hint={t.welcome.password_hint}
            value={form.password}
            onChange={(password) => setForm({ ...form, password })}
            error={asked && is_short ? t.welcome.short(form.password.length) : undefined}
          />
          <div>
            <Button type="submit" busy={change.isPending}>
              {t.me.change}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

const Projects = ({ me }: { me: Me }) => (
  <Card title={t.me.projects} flush>
    {me.projects.length === 0 ? (
      <State title={t.states.no_projects}>{t.states.no_projects_more}</State>
    ) : (
      <Table
        label={t.me.projects}
        rows={me.projects}
        keyOf={({ id }) => id}
        columns={[
          { name: t.me.project, cell: ({ id, name }) => <Link to={`/p/${id}`}>{name}</Link> },
          { name: t.me.role, cell: ({ role }) => role },
          { name: t.me.zone, cell: ({ timezone }) => timezone },
        ]}
      />
    )}
  </Card>
);
