import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { amountOf, Outcome, promotionNameOf } from "../../parts/redemptions.js";
import { RollBack } from "../../parts/rollback.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Card, Columns, Facts, PageHead, Stack, State } from "../../ui/page.js";
import { Table } from "../../ui/table/table.js";
import styles from "./redemptions.module.css";
import { type Redemption, redemptionQuery } from "./redemptions.queries.js";

const words = t.redemption_pages;

/** One redemption: what became of it and why, of which order, and the way to undo it. */
export function RedemptionPage() {
  const project = useProject();
  const { redemption: id } = useParams({ strict: false }) as { redemption: string };
  const redemption = useQuery(redemptionQuery(project, id));
  return (
    <Answer of={redemption} what={words.one}>
      {(redemption) => (
        <>
          <Crumbs to={`/p/${project.id}/redemptions`}>{words.title}</Crumbs>
          <Head redemption={redemption} />
          <Columns>
            <Stack>
              <Items redemption={redemption} />
            </Stack>
            <Happened redemption={redemption} />
          </Columns>
        </>
      )}
    </Answer>
  );
}

const codeOf = ({ voucher }: Redemption) => (voucher as { code?: string } | null)?.code;
const nameOf = (redemption: Redemption) => codeOf(redemption) ?? promotionNameOf(redemption) ?? words.one;

function Head({ redemption }: { redemption: Redemption }) {
  const project = useProject();
  const [undoing, setUndoing] = useState(false);
  const { id, object, status, failure_code } = redemption;
  const code = codeOf(redemption);
  // A part of a stack is undone with the others, by the stack.
  const may_undo =
    object === "redemption" &&
    !redemption.redemption &&
    status === "SUCCEEDED" &&
    project.may("redemptions.rollbacks.create");
  return (
    <>
      <PageHead title={<code>{nameOf(redemption)}</code>} lead={<Outcome of={redemption} brief />}>
        {failure_code && code && (
          <Link to={`/p/${project.id}/vouchers/${encodeURIComponent(code)}`} className={styles.why}>
            {words.why}
          </Link>
        )}
        {may_undo && (
          <Button icon="arrowBackUp" onClick={() => setUndoing(true)}>
            {t.redemptions.roll_back}
          </Button>
        )}
      </PageHead>
      {undoing && <RollBack redemption_id={id} onClose={() => setUndoing(false)} />}
    </>
  );
}

/** What is true of it, at the side. */
function Happened({ redemption }: { redemption: Redemption }) {
  const project = useProject();
  const { id, date, object, failure_code, failure_message, reason, customer, order, tracking_id } = redemption;
  const code = codeOf(redemption);
  const { channel_type } = (redemption.channel ?? {}) as { channel_type?: string };
  const own = `/p/${project.id}`;
  const parent = redemption.redemption;
  const metadata = Object.entries(redemption.metadata ?? {});
  return (
    <Stack>
      <Card title={words.about}>
        <Facts
          of={[
            [words.date, project.dates.minute(date)],
            [words.reason, failure_message ?? reason],
            [words.key, failure_code && <code key="key">{failure_code}</code>],
            [words.code, code && <Link to={`${own}/vouchers/${encodeURIComponent(code)}`}>{code}</Link>],
            [
              words.customer_short,
              customer?.id && (
                <Link to={`${own}/customers/${customer.id}`}>
                  {customer.name ?? customer.source_id ?? customer.email ?? customer.id}
                </Link>
              ),
            ],
            [words.order, order?.id && <Link to={`${own}/orders/${order.id}`}>{order.source_id ?? order.id}</Link>],
            [words.amount, typeof order?.amount === "number" ? project.money(order.amount) : undefined],
            [words.discount, amountOf(redemption, project.money)],
            [words.channel, t.requests.channels[channel_type ?? ""] ?? channel_type],
            [
              object === "redemption_rollback" ? words.undoes : words.parent,
              parent && <Link to={`${own}/redemptions/${parent}`}>{parent}</Link>,
            ],
            [words.tracking, tracking_id],
            [words.id, <code key="id">{id}</code>],
          ]}
        />
      </Card>
      {metadata.length > 0 && (
        <Card title={words.metadata}>
          <Facts
            of={metadata.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])}
          />
        </Card>
      )}
    </Stack>
  );
}

interface Item {
  quantity?: number;
  price?: number;
  amount?: number;
  total_discount_amount?: number;
  product?: { name?: string; source_id?: string };
  source_id?: string;
  product_id?: string;
}

/** The order as it was. */
function Items({ redemption: { order } }: { redemption: Redemption }) {
  const { money, count } = useProject();
  const items = (order?.items ?? []) as Item[];
  const sum = (amount: number | undefined) => (amount === undefined ? "" : money(amount));
  return (
    <Card title={words.items} flush>
      {items.length === 0 ? (
        <State icon="shoppingBag" title={words.no_items} />
      ) : (
        <Table
          label={words.items}
          rows={items.map((item, place) => ({ ...item, place }))}
          keyOf={({ place }) => String(place)}
          columns={[
            {
              name: words.item,
              cell: ({ product, source_id, product_id }) =>
                product?.name ?? product?.source_id ?? source_id ?? product_id ?? "",
            },
            { name: words.quantity, align: "right", cell: ({ quantity = 1 }) => count(quantity) },
            { name: words.price, align: "right", cell: ({ price }) => sum(price) },
            { name: words.amount, align: "right", cell: ({ amount }) => sum(amount) },
            { name: words.discount, align: "right", cell: (item) => sum(item.total_discount_amount) },
          ]}
        />
      )}
    </Card>
  );
}
