import { t } from "../../text/index.js";
import { Code } from "../../ui/code.js";
import { Card, Stack } from "../../ui/page.js";
import type { Key, Made } from "./keys.queries.js";
import styles from "./settings.module.css";

/** Shown once, right after it was made: nobody can look it up again. */
export const Secret = ({ made }: { made: Made }) => (
  <Card title={t.keys.made(made.name)} note={t.keys.once}>
    <div className={styles.secret}>
      <Code text={made.id} label={t.keys.id_of(made.kind)} words={t.keys.copy_id} />
      <Code text={made.token} label={t.keys.token_of(made.kind)} words={t.keys.copy_token} />
    </div>
  </Card>
);

/** A call that succeeds in any project: it asks for its newest vouchers. */
const curlOf = ({ id, token }: { id: string; token: string }) =>
  [`curl "${location.origin}/v1/vouchers?limit=3"`, `-H "X-App-Id: ${id}"`, `-H "X-App-Token: ${token}"`].join(
    " \\\n  ",
  );

/** The line that somebody's first program begins with, with their own key in it as long as its secret is known. */
export function FirstCall({ made, keys }: { made: Made | null; keys: readonly Key[] }) {
  const known = made?.kind === "server" ? made : null;
  const key = known ?? keys.find(({ kind, blocked }) => kind === "server" && !blocked);
  return (
    <Card title={t.keys.first_call}>
      <Stack>
        <p className={styles.lead}>{known ? t.keys.first_ready : t.keys.first_lead}</p>
        <Code
          text={curlOf({ id: key?.id ?? "APP_ID", token: known?.token ?? "APP_TOKEN" })}
          label={t.keys.first_call}
          words={t.keys.copy_curl}
        />
        <p className={styles.lead}>
          {t.keys.more} <a href="/docs">{t.frame.api_reference}</a>
        </p>
      </Stack>
    </Card>
  );
}
