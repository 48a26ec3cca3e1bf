import type { Schemas } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Card, State } from "../../ui/page.js";
import { type Column, Table } from "../../ui/table/table.js";
import styles from "./orders.module.css";
import type { Order } from "./orders.queries.js";

type Line = Schemas["OrderItem"];
const words = t.orders;

/** What was bought, and the sum below it. */
export function Lines({ order }: { order: Order }) {
  const project = useProject();
  return (
    <Card title={words.lines} flush>
      {order.items.length === 0 ? (
        <State icon="shoppingBag" title={words.no_lines} />
      ) : (
        <Table label={words.lines} rows={order.items} keyOf={({ id }) => id} columns={columnsOf(project)} />
      )}
      <Sum order={order} />
    </Card>
  );
}

const columnsOf = ({ money, count }: Project): Column<Line>[] => [
  {
    name: words.product,
    cell: (line) => (
      <>
        {nameOf(line)}
        {line.product?.name && line.source_id && <small>{line.source_id}</small>}
      </>
    ),
  },
  {
    name: words.quantity,
    align: "right",
    cell: ({ quantity, discount_quantity: free = 0 }) => (
      <>
        {count(quantity)}
        {free > 0 && <small>{words.free(count(free))}</small>}
      </>
    ),
  },
  { name: words.price, align: "right", cell: ({ price }) => (price === undefined ? "" : money(price)) },
  {
    name: words.discount,
    align: "right",
    cell: ({ discount_amount: off = 0 }) => (off === 0 ? "" : `−${money(off)}`),
  },
  {
    name: words.total,
    align: "right",
    cell: ({ subtotal_amount, amount, discount_amount: off = 0 }) => {
      const total = subtotal_amount ?? (amount === undefined ? undefined : amount - off);
      return total === undefined ? "" : money(total);
    },
  },
];

const nameOf = ({ product, sku, source_id, product_id, sku_id, id }: Line) =>
  product?.name ?? sku?.sku ?? source_id ?? product_id ?? sku_id ?? id;

function Sum({ order }: { order: Order }) {
  const { money } = useProject();
  const { amount, items_discount_amount: items = 0, discount_amount: whole = 0, total_amount } = order;
  if (amount === undefined) return null;
  return (
    <dl className={styles.sum}>
      <dt>{words.sum}</dt>
      <dd>{money(amount)}</dd>
      {items > 0 && (
        <>
          <dt>{words.on_items}</dt>
          <dd>−{money(items)}</dd>
        </>
      )}
      {whole > 0 && (
        <>
          <dt>{words.on_order}</dt>
          <dd>−{money(whole)}</dd>
        </>
      )}
      <dt data-total>{words.to_pay}</dt>
      <dd data-total>{money(total_amount ?? amount)}</dd>
    </dl>
  );
}
