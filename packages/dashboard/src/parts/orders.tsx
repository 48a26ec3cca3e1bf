import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client.js";
import { nameOf } from "../api/people.js";
import { type Project, useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { Clip } from "../ui/table/clip.js";
import { Table } from "../ui/table/table.js";
import type { ListColumn } from "./lists/list.js";
import { OrderStatus } from "./order-status.js";

type Order = Schemas["Order"];
const words = t.orders;

interface OrderTableProps {
  of: readonly Order[];
  /** Whose they are; left out on a page of theirs. */
  customers?: readonly Schemas["SimpleCustomer"][];
}

/** Orders, each with what was taken off it. */
export const OrderTable = ({ of, customers }: OrderTableProps) => (
  <Table
    label={words.title}
    rows={of}
    keyOf={({ id }) => id}
    columns={orderColumns(useProject(), customers).filter(({ is_extra }) => !is_extra)}
  />
);

/** What a list of orders shows of each. */
export function orderColumns(project: Project, customers?: OrderTableProps["customers"]): ListColumn<Order>[] {
  const people = customers && new Map(customers.map((customer) => [customer.id, customer]));
  const who: ListColumn<Order> = {
    id: "customer",
    name: words.customer,
    cell: ({ customer_id }) => <Who of={customer_id === null ? undefined : people?.get(customer_id)} />,
  };
  const [order, ...others] = columnsOf(project);
  return [order, ...(people ? [who] : []), ...others].filter((one) => one !== undefined);
}

const columnsOf = ({ id: project_id, money, count, dates }: Project): ListColumn<Order>[] => [
  {
    id: "order",
    name: words.order,
    cell: ({ id, source_id }) => (
      <Link to={`/p/${project_id}/orders/${id}`}>
        <code>{source_id ?? id}</code>
      </Link>
    ),
  },
  { id: "status", name: words.status, cell: ({ status }) => <OrderStatus status={status} /> },
  { id: "created", name: words.created, cell: ({ created_at }) => dates.moment(created_at) },
  { id: "id", name: t.list.id, is_extra: true, cell: ({ id }) => <Clip code>{id}</Clip> },
  {
    id: "items",
    name: words.items,
    align: "right",
    cell: ({ items }) => (items.length === 0 ? "" : count(items.length)),
  },
  {
    id: "amount",
    name: words.amount,
    align: "right",
    cell: ({ amount }) => (amount === undefined ? "" : money(amount)),
  },
  {
    id: "discount",
    name: words.discount,
    align: "right",
    cell: ({ total_discount_amount: off = 0 }) => (off === 0 ? "" : `−${money(off)}`),
  },
  {
    id: "to_pay",
    name: words.to_pay,
    align: "right",
    cell: ({ total_amount }) => (total_amount === undefined ? "" : <strong>{money(total_amount)}</strong>),
  },
];

function Who({ of }: { of: Schemas["SimpleCustomer"] | undefined }) {
  const { id, may } = useProject();
  if (!of) return <>{words.nobody}</>;
  return may("customers.read") ? <Link to={`/p/${id}/customers/${of.id}`}>{nameOf(of)}</Link> : nameOf(of);
}
