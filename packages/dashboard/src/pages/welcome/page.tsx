import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { bodyOf, organization, Refused, type Schemas } from "../../api/client.js";
import { meQuery } from "../../api/me.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Entrance } from "../../ui/entrance/entrance.js";
import styles from "../../ui/entrance/entrance.module.css";
import { TextField } from "../../ui/field.js";
import { Loading, Notice } from "../../ui/page.js";
import { PasswordField } from "../../ui/password-field.js";

/** What stands behind `#`, which no log of any server sees. */
const tokenHere = () => location.hash.slice(1);

/** Whoever follows a link becomes the owner, or chooses a password. */
export function Welcome() {
  const [token] = useState(tokenHere);
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: () => bodyOf(organization.POST("/dashboard/v1/links", { body: { token } })),
    enabled: token !== "",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Entrance>
      {link.isLoading && <Loading />}
      {(token === "" || link.isError) && <Dead error={link.error} />}
      {link.data && <Begin token={token} link={link.data} />}
    </Entrance>
  );
}

const Dead = ({ error }: { error: Error | null }) => (
  <div className={styles.form} role="alert">
    <h1>{t.welcome.dead}</h1>
    <p className={styles.note}>
      {error instanceof Refused && error.status === 0 ? (
        t.states.away
      ) : (
        <>
          {t.welcome.dead_more} <code>npm run owner-link</code>. {t.welcome.dead_member}
        </>
      )}
    </p>
    <p>
      <Link to="/sign-in">{t.welcome.to_sign_in}</Link>
    </p>
  </div>
);

const password_length_min = 12;

/** The first wrong field of the form, in words. */
function faultsIn(form: Record<"email" | "first_name" | "last_name" | "password", string>, is_owner: boolean) {
  const missing = (value: string) => (is_owner && value.trim() === "" ? t.welcome.missing : undefined);
  return {
    first_name: missing(form.first_name),
    last_name: missing(form.last_name),
    email: is_owner && !/^[^@\s]+@[^@\s]+$/.test(form.email) ? t.welcome.no_email : undefined,
    password: form.password.length < password_length_min ? t.welcome.short(form.password.length) : undefined,
  };
}

function Begin({ token, link }: { token: string; link: Schemas["Link"] }) {
  const { is_owner } = link;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { email, first_name, last_name } = link;
  const [form, setForm] = useState({ email: email.includes("@") ? email : "", first_name, last_name, password: "" });
  const [asked, setAsked] = useState(false);
  const set = (field: keyof typeof form) => (value: string) => setForm({ ...form, [field]: value });
  const faults = faultsIn(form, is_owner);
  const begin = useMutation({
    mutationFn: () =>
      is_owner
        ? bodyOf(organization.POST("/dashboard/v1/owner", { body: { token, ...form } }))
        : bodyOf(organization.POST("/dashboard/v1/password", { body: { token, password: form.password } })),
    onSuccess: async () => {
      await queries.resetQueries({ queryKey: meQuery.queryKey });
      await navigate({ to: "/", replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (Object.values(faults).every((fault) => fault === undefined)) begin.mutate();
  };
  const shown = (field: keyof typeof faults) => (asked ? faults[field] : undefined);
  const named = (field: "first_name" | "last_name" | "email") => ({
    value: form[field],
    onChange: set(field),
    error: shown(field),
    large: true,
  });
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <header>
        <h1>{is_owner ? t.welcome.title_owner : t.welcome.title_member}</h1>
        <p>{is_owner ? t.welcome.lead_owner : t.welcome.lead_member(email)}</p>
      </header>
      {begin.error && <Notice>{begin.error.message}</Notice>}
      {is_owner && (
        <>
          <TextField label={t.welcome.first_name} autoComplete="given-name" {...named("first_name")} />
          <TextField label={t.welcome.last_name} autoComplete="family-name" {...named("last_name")} />
          <TextField label={t.sign_in.email} type="email" autoComplete="username" {...named("email")} />
        </>
      )}
      <PasswordField
        label={t.sign_in.password}
        autoComplete="new-password"
        hint={t.welcome.password_hint}
        value={form.password}
        onChange={set("password")}
        error={shown("password")}
        large
      />
      <Button type="submit" kind="primary" size="large" busy={begin.isPending}>
        {is_owner ? t.welcome.submit_owner : t.welcome.submit_member}
      </Button>
    </form>
  );
}
