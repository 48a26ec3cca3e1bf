import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { bodyOf, organization, Refused } from "../../api/client.js";
import { ownPath } from "../../api/filters.js";
import { meQuery } from "../../api/me.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Entrance } from "../../ui/entrance/entrance.js";
import styles from "../../ui/entrance/entrance.module.css";
import { TextField } from "../../ui/field.js";
import { Notice } from "../../ui/page.js";
import { PasswordField } from "../../ui/password-field.js";

/** `next` in the address: where somebody wanted to go before they were asked who they are. */
export function SignIn() {
  const { next } = useSearch({ strict: false }) as { next?: string };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [asked, setAsked] = useState(false);
  const owner = useQuery({
    queryKey: ["owner"],
    queryFn: () => bodyOf(organization.GET("/dashboard/v1/owner")),
    retry: false,
  });
  const signIn = useMutation({
    mutationFn: () => bodyOf(organization.POST("/dashboard/v1/session", { body: { email, password } })),
    onSuccess: async () => {
      await queries.resetQueries({ queryKey: meQuery.queryKey });
      await navigate({ href: ownPath(next) ?? "/", replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (email !== "" && password !== "") signIn.mutate();
  };
  const ask = (value: string, missing: string) => (asked && value === "" ? missing : undefined);
  return (
    <Entrance foot={<Answers silent={owner.isError} />}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <header>
          <h1>{t.sign_in.title}</h1>
          <p>{t.sign_in.to(location.host)}</p>
        </header>
        {signIn.error && <Notice>{reasonOf(signIn.error)}</Notice>}
        <TextField
          label={t.sign_in.email}
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={ask(email, t.sign_in.email_missing)}
          large
        />
        <PasswordField
          label={t.sign_in.password}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={ask(password, t.sign_in.password_missing)}
          large
        />
        <Button type="submit" kind="primary" size="large" busy={signIn.isPending}>
          {t.sign_in.submit}
        </Button>
        <p className={styles.note}>
          {owner.data?.exists === false ? t.sign_in.no_owner : t.sign_in.forgotten} <code>npm run owner-link</code>.
        </p>
      </form>
    </Entrance>
  );
}

const Answers = ({ silent }: { silent: boolean }) => (
  <span data-silent={silent || undefined}>{silent ? t.sign_in.silent : t.sign_in.answers}</span>
);

function reasonOf(error: Error): string {
  if (!(error instanceof Refused)) return error.message;
  if (error.status === 429) return t.sign_in.too_many(Math.ceil((error.retry_after ?? 60) / 60));
  if (error.key === "wrong_password") return t.sign_in.wrong;
  return error.status === 0 ? t.states.away : error.message;
}
