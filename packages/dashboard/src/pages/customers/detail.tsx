import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { type Customer, customerQuery, nameOf } from "../../api/people.js";
import { useProject } from "../../api/project.js";
import { OrderTable } from "../../parts/orders.js";
import { RedemptionTable } from "../../parts/redemptions.js";
import { Timeline } from "../../parts/timeline.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Crumbs, InLine } from "../../ui/crumbs.js";
import { More } from "../../ui/list/more.js";
import { Card, Columns, PageHead, Stack, State } from "../../ui/page.js";
import { LinkTabs } from "../../ui/tabs.js";
import { Tiles } from "../../ui/tiles.js";
import { customerTimelineQuery, ordersOfQuery, redemptionsOfQuery } from "./customers.queries.js";
import { EditCustomer } from "./edit.js";
import { CustomerFacts } from "./facts.js";
import { Cards, Wallet } from "./wallet.js";

const words = t.customers;

/** One customer: what they have, what they did, and the way to put it right. */
export function CustomerPage() {
  const project = useProject();
  const { customer: id, tab } = useParams({ strict: false }) as { customer: string; tab?: string };
  const customer = useQuery(customerQuery(project, id));
  return (
    <Answer of={customer} what={words.one}>
      {(customer) => (
        <>
          <Head customer={customer} />
          <Tabs customer={customer} at={id} />
          {tab === "wallet" && <Wallet id={id} />}
          {tab === "timeline" && <Happened id={id} />}
          {tab === "orders" && <Orders id={id} />}
          {tab === "redemptions" && <Redemptions id={id} />}
          {tab === undefined && <Overview customer={customer} at={id} />}
        </>
      )}
    </Answer>
  );
}

function Head({ customer }: { customer: Customer }) {
  const { id, may } = useProject();
  const [editing, setEditing] = useState(false);
  const { source_id, email } = customer;
  const name = nameOf(customer);
  return (
    <>
      <Crumbs to={`/p/${id}/customers`}>{words.title}</Crumbs>
      <PageHead
        title={name}
        lead={
          <InLine>
            {email !== name && email}
            {source_id && (
              <InLine>
                <code>{source_id}</code>
                <Copy text={source_id} label={`${t.states.copy} ${source_id}`} />
              </InLine>
            )}
          </InLine>
        }
      >
        {may("customers.update") && (
          <Button icon="pencil" onClick={() => setEditing(true)}>
            {words.edit}
          </Button>
        )}
      </PageHead>
      {editing && <EditCustomer of={customer} onClose={() => setEditing(false)} />}
    </>
  );
}

function Tabs({ customer: { summary }, at }: { customer: Customer; at: string }) {
  const { id, count, may } = useProject();
  const here = `/p/${id}/customers/${encodeURIComponent(at)}`;
  return (
    <LinkTabs
      label={words.one}
      tabs={[
        { to: here, label: words.overview },
        { to: `${here}/wallet`, label: words.wallet },
        { to: `${here}/timeline`, label: words.timeline },
        ...(may("orders.read")
          ? [{ to: `${here}/orders`, label: words.orders, count: count(summary.orders.total_count) }]
          : []),
        {
          to: `${here}/redemptions`,
          label: words.redemptions,
          count: count(summary.redemptions.total_redeemed + summary.redemptions.total_failed),
        },
      ]}
    />
  );
}

/** `at` is what the address calls them: the answers to it are there already. */
const Overview = ({ customer, at }: { customer: Customer; at: string }) => (
  <Columns>
    <Stack>
      <Numbers customer={customer} />
      <Cards id={at} />
      <Wallet id={at} />
      <Redemptions id={at} />
      <Happened id={at} />
    </Stack>
    <CustomerFacts customer={customer} />
  </Columns>
);

function Numbers({ customer: { summary, loyalty } }: { customer: Customer }) {
  const { count, money, dates } = useProject();
  const { orders, redemptions } = summary;
  const { total_failed: failed, total_rolled_back: rolled_back } = redemptions;
  const not = [
    failed > 0 ? words.refused(count(failed)) : "",
    rolled_back > 0 ? words.rolled_back(count(rolled_back)) : "",
  ].filter((one) => one !== "");
  const last = orders.last_order_date;
  return (
    <Card title={words.numbers}>
      <Tiles
        of={[
          [
            words.spent,
            money(orders.total_amount),
            orders.total_count > 1 ? words.average(money(orders.average_amount)) : "",
          ],
          [words.orders, count(orders.total_count), last ? `${words.last_order} ${dates.day(last)}` : ""],
          [words.redemptions, count(redemptions.total_succeeded), not.join(", ")],
          ...(redemptions.gift.amount_to_go > 0
            ? [[words.to_spend, money(redemptions.gift.amount_to_go)] as const]
            : []),
          ...(loyalty.points > 0 ? [[words.points, count(redemptions.loyalty_card.points_to_go)] as const] : []),
          ...(loyalty.referred_customers > 0
            ? [
                [
                  words.referred,
                  count(loyalty.referred_customers),
                  words.referred_note(loyalty.referred_customers),
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
}

function Redemptions({ id }: { id: string }) {
  const redemptions = useInfiniteQuery(redemptionsOfQuery(useProject(), id));
  return (
    <Card title={words.redemptions} flush>
      <Answer of={redemptions} what={words.redemptions}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <State icon="receipt2" title={words.no_redemptions} />;
          return (
            <>
              <RedemptionTable of={rows} shows="incentive" />
              <More of={redemptions} />
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

function Orders({ id }: { id: string }) {
  const orders = useInfiniteQuery(ordersOfQuery(useProject(), id));
  return (
    <Card title={words.orders} flush>
      <Answer of={orders} what={words.orders}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <State icon="shoppingBag" title={t.orders.none} />;
          return (
            <>
              <OrderTable of={rows} />
              <More of={orders} />
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

function Happened({ id }: { id: string }) {
  const timeline = useInfiniteQuery(customerTimelineQuery(useProject(), id));
  return (
    <Card title={words.timeline} flush>
      <Timeline of={timeline} />
    </Card>
  );
}
