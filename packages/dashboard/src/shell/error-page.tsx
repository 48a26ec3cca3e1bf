import { Link, useRouter } from "@tanstack/react-router";
import { reasonOf } from "../api/answer.js";
import { Refused } from "../api/client.js";
import { t } from "../text/index.js";
import { Failed, State } from "../ui/page.js";

export const NotFound = () => (
  <State icon="search" title={t.states.not_found}>
    <span>{t.states.not_found_more}</span>
    <Link to="/">{t.states.back_home}</Link>
  </State>
);

/** What a page could not begin with. */
export function ErrorPage({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <Failed
      what={t.states.page}
      reason={reasonOf(error)}
      request_id={error instanceof Refused ? error.request_id : undefined}
      onRetry={() => void router.invalidate()}
    />
  );
}
