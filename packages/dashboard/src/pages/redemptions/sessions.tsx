import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Answer, reasonIn } from "../../api/answer.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Card, Notice, State } from "../../ui/page.js";
import { Table } from "../../ui/table/table.js";
import { toast } from "../../ui/toast.js";
import { Frame } from "./layout.js";
import { locksQuery } from "./redemptions.queries.js";

const words = t.redemption_pages;
type Lock = Schemas["Lock"];

/** What is locked for customers who have not paid yet, and the way to give it free. */
export function Sessions() {
  const project = useProject();
  const locks = useQuery(locksQuery(project));
  return (
    <Frame>
      <Card flush>
        <Answer of={locks} what={words.sessions}>
          {({ data, has_more }) =>
            data.length === 0 ? (
              <State icon="clock" title={words.no_sessions}>
                {words.no_sessions_lead}
              </State>
            ) : (
              <>
                {has_more && <Notice tone="info">{words.many_sessions}</Notice>}
                <Locks of={data} />
              </>
            )
          }
        </Answer>
      </Card>
    </Frame>
  );
}

function Locks({ of }: { of: readonly Lock[] }) {
  const { id, api, may, money, dates } = useProject();
  const queries = useQueryClient();
  const release = useMutation({
    mutationFn: ({ code, key }: Lock) =>
      bodyOf(api.DELETE("/v1/vouchers/{code}/sessions/{sessionKey}", { params: { path: { code, sessionKey: key } } })),
    onSuccess: async (_answer, { code }) => {
      toast(words.released(code));
      await queries.invalidateQueries({ queryKey: ["redemptions", "locks"] });
    },
  });
  const may_release = may("vouchers.sessions.delete");
  return (
    <>
      {release.error && <Notice>{reasonIn(release.error)}</Notice>}
      <Table
        label={words.sessions}
        rows={of}
        keyOf={({ voucher_id, key }) => `${voucher_id} ${key}`}
        columns={[
          {
            name: words.code,
            cell: ({ code }) => (
              <Link to={`/p/${id}/vouchers/${encodeURIComponent(code)}`}>
                <code>{code}</code>
              </Link>
            ),
          },
          { name: words.session, cell: ({ key }) => <code>{key}</code> },
          { name: words.credits, cell: ({ credits }) => (credits > 0 ? money(credits) : words.one_use) },
          {
            name: words.expires,
            cell: ({ expires_at }) => (
              <time dateTime={expires_at} title={expires_at}>
                {dates.moment(expires_at)}
              </time>
            ),
          },
          {
            name: words.release,
            hidden_name: true,
            align: "right",
            cell: (lock) =>
              may_release && (
                <Button size="small" busy={release.isPending} onClick={() => release.mutate(lock)}>
                  {words.release}
                </Button>
              ),
          },
        ]}
      />
    </>
  );
}
