import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { customerQuery, nameOf } from "../../api/people.js";
import { useProject } from "../../api/project.js";
import { Metadata } from "../../parts/metadata.js";
import { OrderStatus } from "../../parts/order-status.js";
import { RedemptionTable } from "../../parts/redemptions.js";
import { Timeline } from "../../parts/timeline.js";
import { t } from "../../text/index.js";
import { Copy } from "../../ui/copy.js";
import { Crumbs, InLine } from "../../ui/crumbs.js";
import { Card, Columns, Facts, PageHead, Stack, State } from "../../ui/page.js";
import { Lines } from "./lines.js";
import { type Order, orderQuery, orderTimelineQuery, redemptionsOnQuery } from "./orders.queries.js";

const words = t.orders;

/** One order: its lines, what was taken off them, and by what. */
export function OrderPage() {
  const project = useProject();
  const { order: id } = useParams({ strict: false }) as { order: string };
  const order = useQuery(orderQuery(project, id));
  return (
    <Answer of={order} what={words.one}>
      {(order) => (
        <>
          <Head order={order} />
          <Columns>
            <Stack>
              <Lines order={order} />
              <Redeemed order={order} />
              <Happened id={id} />
            </Stack>
            <Details order={order} />
          </Columns>
        </>
      )}
    </Answer>
  );
}

function Head({ order: { id, source_id, status, total_amount } }: { order: Order }) {
  const project = useProject();
  const name = source_id ?? id;
  return (
    <>
      <Crumbs to={`/p/${project.id}/orders`}>{words.title}</Crumbs>
      <PageHead
        title={
          <InLine>
            <code>{name}</code>
            <Copy text={name} label={`${t.states.copy} ${name}`} />
          </InLine>
        }
        lead={
          <InLine>
            <OrderStatus status={status} />
            {total_amount === undefined ? null : `${words.to_pay} ${project.money(total_amount)}`}
          </InLine>
        }
      />
    </>
  );
}

function Redeemed({ order }: { order: Order }) {
  const project = useProject();
  const redemptions = useQuery(redemptionsOnQuery(project, order));
  const is_none = Object.keys(order.redemptions).length === 0;
  return (
    <Card title={words.redemptions} flush>
      {is_none ? (
        <State icon="receipt2" title={words.no_redemptions} />
      ) : (
        <Answer of={redemptions} what={words.redemptions}>
          {(rows) => <RedemptionTable of={rows} shows="incentive" />}
        </Answer>
      )}
    </Card>
  );
}

function Happened({ id }: { id: string }) {
  const timeline = useInfiniteQuery(orderTimelineQuery(useProject(), id));
  return (
    <Card title={words.timeline} flush>
      <Timeline of={timeline} />
    </Card>
  );
}

function Details({ order }: { order: Order }) {
  const { dates } = useProject();
  const { id, source_id, customer_id, referrer_id, created_at, updated_at } = order;
  return (
    <Stack>
      <Card title={words.details}>
        <Facts
          of={[
            [words.customer, customer_id ? <Who key="who" id={customer_id} /> : words.nobody],
            [words.referrer, referrer_id ? <Who key="by" id={referrer_id} /> : undefined],
            [words.created, dates.minute(created_at)],
            [words.updated, updated_at ? dates.minute(updated_at) : undefined],
            [words.source_id, source_id && <code key="source">{source_id}</code>],
            [words.id, <code key="id">{id}</code>],
          ]}
        />
      </Card>
      <Metadata of={order.metadata} />
    </Stack>
  );
}

function Who({ id }: { id: string }) {
  const project = useProject();
  const { data } = useQuery({ ...customerQuery(project, id), enabled: project.may("customers.read") });
  return <Link to={`/p/${project.id}/customers/${id}`}>{data ? nameOf(data) : id}</Link>;
}
