import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Answer, NotYours, reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { RequestLink } from "../../parts/request-link.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Json } from "../../ui/json/json.js";
import { Card, Columns, Facts, Notice, PageHead, Stack, State } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import { SendOutStatus } from "./send-out-status.js";
import styles from "./webhooks.module.css";
import { hasEnded, type SendOut, sendOutQuery, useSendAgain } from "./webhooks.queries.js";

const words = t.send_outs;

/** One message: what it said, what came back, and the way to send it once more. */
export function SendOutPage() {
  const project = useProject();
  const { sendOut: id } = useParams({ strict: false }) as { sendOut: string };
  const may = project.may("send-outs.read");
  const sent = useQuery({ ...sendOutQuery(project, id), enabled: may });
  if (!may) return <NotYours what={words.title} />;
  return (
    <Answer of={sent} what={words.one}>
      {(sent) => (
        <>
          <Crumbs to={`/p/${project.id}/webhooks/send-outs`}>{words.title}</Crumbs>
          <Head sent={sent} />
          <Columns>
            <Stack>
              {sent.last_error && !sent.response && <Notice>{sent.last_error}</Notice>}
              <Back sent={sent} />
              <Said title={words.message} copy={words.copy_message} text={sent.message} none={words.not_made} />
            </Stack>
            <Details sent={sent} />
          </Columns>
        </>
      )}
    </Answer>
  );
}

function Head({ sent }: { sent: SendOut }) {
  const { may } = useProject();
  const again = useSendAgain();
  const send = () => again.mutate(sent.id, { onSuccess: () => toast(words.sent_again) });
  return (
    <>
      <PageHead title={<code>{sent.type}</code>} lead={<SendOutStatus of={sent} />}>
        {may("send-outs.retry.create") && hasEnded(sent) && (
          <Button icon="refresh" kind="primary" busy={again.isPending} onClick={send}>
            {words.again}
          </Button>
        )}
      </PageHead>
      {again.error && <Notice>{reasonIn(again.error)}</Notice>}
    </>
  );
}

interface SaidProps {
  title: string;
  text: string | null;
  copy: string;
  none: string;
}

const Said = ({ title, text, copy, none }: SaidProps) => (
  <Card title={title} action={<div>{text && <Copy text={text} label={copy} />}</div>} flush={Boolean(text)}>
    {text ? <Json text={text} label={title} /> : <p className={styles.lead}>{none}</p>}
  </Card>
);

/** What the receiver said. */
function Back({ sent: { response, attempts } }: { sent: SendOut }) {
  if (response)
    return (
      <Said
        title={words.answered(response.status)}
        copy={words.copy_answer}
        text={response.body || null}
        none={words.no_body}
      />
    );
  return attempts === 0 ? null : (
    <Card title={words.answer}>
      <State title={words.no_answer} />
    </Card>
  );
}

function Details({ sent }: { sent: SendOut }) {
  const { id: project_id, dates, count } = useProject();
  const { id, source, event, attempts, executed_at, next_attempt_at } = sent;
  return (
    <Card title={words.details}>
      <Facts
        of={[
          [words.to, source.target_url],
          [
            words.webhook,
            <Link key="source" to={`/p/${project_id}/webhooks/send-outs`} search={{ webhook: source.id } as never}>
              {source.id}
            </Link>,
          ],
          [words.tries, count(attempts)],
          [words.tried, executed_at && dates.moment(executed_at)],
          [words.next, next_attempt_at && dates.moment(next_attempt_at)],
          [words.happened, dates.moment(event.created_at)],
          [words.about, <code key="entity">{event.entity_id}</code>],
          [words.request, event.group_id && <RequestLink key="request" id={event.group_id} />],
          [words.event, <code key="event">{event.id}</code>],
          [words.id, <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
}
