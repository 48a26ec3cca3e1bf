import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { Refused } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { look } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { Json } from "../../ui/json/json.js";
import { State } from "../../ui/page.js";
import { Caused } from "./caused.js";
import { curlOf, refusalIn } from "./reading.js";
import styles from "./requests.module.css";
import { type Line, type Request, type RequestSearch, requestQuery } from "./requests.queries.js";
import { toneOf, whoOf } from "./who.js";

const words = t.requests;

interface DetailProps {
  id: string | undefined;
  /** Those beside it, through which one steps. */
  rows: readonly Line[];
  search: RequestSearch;
}

/** One request: what was sent on the left, what was answered and came of it on the right. */
export function Detail({ id, rows, search }: DetailProps) {
  const project = useProject();
  const request = useQuery({ ...requestQuery(project, id ?? ""), enabled: id !== undefined });
  if (id === undefined) return <State icon="terminal2" title={words.choose} />;
  const is_gone = request.error instanceof Refused && request.error.status === 404;
  return (
    <section className={styles.detail} aria-label={words.one}>
      <Link to={`/p/${project.id}/requests`} search={search as never} className={styles.back}>
        <Icon name="arrowLeft" size={16} />
        {words.back}
      </Link>
      {is_gone ? (
        <State icon="terminal2" title={words.gone}>
          {words.gone_lead}
        </State>
      ) : (
        <Answer of={request} what={words.one}>
          {(request) => <Whole request={request} rows={rows} search={search} />}
        </Answer>
      )}
    </section>
  );
}

function Whole({ request, rows, search }: Omit<DetailProps, "id"> & { request: Request }) {
  return (
    <>
      <Head request={request} rows={rows} search={search} />
      <Said request={request} />
      <div className={styles.bodies}>
        <Body text={request.request_body} title={words.request} copy={words.copy_request} />
        <div>
          <Body text={request.response_body} title={words.response} copy={words.copy_response} marked="key" />
          <Caused request={request} />
        </div>
      </div>
    </>
  );
}

function Head({ request, rows, search }: Omit<DetailProps, "id"> & { request: Request }) {
  const { dates, count, me } = useProject();
  const { id, status, method, path, created_at, duration_ms, event_source, label, operation } = request;
  const place = rows.findIndex((row) => row.id === id);
  return (
    <header className={styles.head}>
      <h2>
        <span className={styles.status} data-tone={toneOf(status)}>
          {status}
        </span>{" "}
        <span className={styles.method}>{method}</span> {path}
      </h2>
      <div className={styles.deeds}>
        <Copy text={curlOf(request)} label={words.as_curl} words={words.as_curl} />
        <Step to={rows[place - 1]} icon="chevronUp" label={words.newer_one} search={search} />
        <Step to={place < 0 ? undefined : rows[place + 1]} icon="chevronDown" label={words.older_one} search={search} />
      </div>
      <dl>
        <div>
          <dt>{words.find}</dt>
          <dd>
            <code>{id}</code>
            <Copy text={id} label={`${t.states.copy} ${id}`} />
          </dd>
        </div>
        <div>
          <dt>{words.time}</dt>
          <dd title={created_at}>
            {dates.day(created_at)}, {dates.time(created_at)}
          </dd>
        </div>
        <div>
          <dt>{words.took}</dt>
          <dd>{count(duration_ms)} ms</dd>
        </div>
        <div>
          <dt>{words.by}</dt>
          <dd>{whoOf(event_source, me)}</dd>
        </div>
        {label && (
          <div>
            <dt>{words.calls_itself}</dt>
            <dd>{label}</dd>
          </div>
        )}
        {operation && (
          <div>
            <dt>{words.operation}</dt>
            <dd>{operation}</dd>
          </div>
        )}
      </dl>
    </header>
  );
}

interface StepProps {
  to: Line | undefined;
  icon: IconName;
  label: string;
  search: RequestSearch;
}

function Step({ to, icon, label, search }: StepProps) {
  const { id } = useProject();
  if (!to) return null;
  return (
    <Link
      {...look({ kind: "quiet", size: "small" }, true)}
      to={`/p/${id}/requests/${encodeURIComponent(to.id)}`}
      search={search as never}
      aria-label={label}
      title={label}
      resetScroll={false}
    >
      <Icon name={icon} />
    </Link>
  );
}

/** What an answer that is a refusal says, in its words. */
function Said({ request }: { request: Request }) {
  const { id } = useProject();
  if (request.status < 400) return null;
  const { message, details, voucher } = refusalIn(request.response_body);
  return (
    <div className={styles.said} data-tone={toneOf(request.status)}>
      <Icon name={request.status < 500 ? "infoCircle" : "alertCircle"} />
      <p>
        <strong>{message ?? words.failed}</strong> {details}
      </p>
      {voucher && <Link to={`/p/${id}/vouchers/${encodeURIComponent(voucher)}`}>{words.see_voucher}</Link>}
    </div>
  );
}

/** Of a longer body the rest was not kept. */
const kept_bytes = 16_384;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

interface BodyProps {
  text: string | null;
  title: string;
  copy: string;
  marked?: string;
}

function Body({ text, title, copy, marked }: BodyProps) {
  const { count } = useProject();
  const bytes = text === null ? 0 : bytesOf(text);
  return (
    <section className={styles.body} aria-label={title}>
      <header>
        <h3>{title}</h3>
        {text && <span>{words.bytes(count(bytes))}</span>}
        {text && <Copy text={text} label={copy} />}
      </header>
      {text ? <Json text={text} label={title} {...(marked ? { marked } : {})} /> : <p>{words.no_body}</p>}
      {bytes >= kept_bytes && <p>{words.cut}</p>}
    </section>
  );
}
