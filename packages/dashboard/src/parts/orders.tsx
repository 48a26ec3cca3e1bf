import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client.js";
import { nameOf } from "../api/people.js";
import { type Project, useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { type Column, Table } from "../ui/table/table.js";
import { OrderStatus } from "./order-status.js";

type Order = Schemas["Order"];
const words = t.orders;

interface OrderTableProps {
  of: readonly Order[];
  /** Whose they are; left out on a page of theirs. */
  customers?: readonly Schemas["SimpleCustomer"][];
}

/** Orders, each with what was taken off it. */
export function OrderTable({ of, customers }: OrderTableProps) {
  const project = useProject();
  const people = customers && new Map(customers.map((customer) => [customer.id, customer]));
  const who: Column<Order> = {
    name: words.customer,
    cell: ({ customer_id }) => <Who of={customer_id === null ? undefined : people?.get(customer_id)} />,
  };
  const [order, ...others] = columnsOf(project);
  const columns = [order, ...(people ? [who] : []), ...others].filter((one) => one !== undefined);
  return <Table label={words.title} rows={of} keyOf={({ id }) => id} columns={columns} />;
}

const columnsOf = ({ id: project_id, money, count, dates }: Project): Column<Order>[] => [
  {
    name: words.order,
    cell: ({ id, source_id }) => (
      <Link to={`/p/${project_id}/orders/${id}`}>
        <code>{source_id ?? id}</code>
      </Link>
    ),
  },
  { name: words.status, cell: ({ status }) => <OrderStatus status={status} /> },
  { name: words.created, cell: ({ created_at }) => dates.moment(created_at) },
  { name: words.items, align: "right", cell: ({ items }) => (items.length === 0 ? "" : count(items.length)) },
  { name: words.amount, align: "right", cell: ({ amount }) => (amount === undefined ? "" : money(amount)) },
  {
    name: words.discount,
    align: "right",
    cell: ({ total_discount_amount: off = 0 }) => (off === 0 ? "" : `−${money(off)}`),
  },
  {
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
