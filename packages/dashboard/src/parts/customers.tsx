import { Link } from "@tanstack/react-router";
import { type Customer, nameOf } from "../api/people.js";
import { type Project, useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { Clip } from "../ui/table/clip.js";
import { Table } from "../ui/table/table.js";
import styles from "./customers.module.css";
import type { ListColumn } from "./lists/list.js";

const words = t.customers;

/** Customers, each with what they have spent. */
export const CustomerTable = ({ of }: { of: readonly Customer[] }) => (
  <Table
    label={words.title}
    rows={of}
    keyOf={({ id }) => id}
    columns={customerColumns(useProject()).filter(({ is_extra }) => !is_extra)}
  />
);

/** What a list of customers shows of each. */
export const customerColumns = ({ id, money, count, dates }: Project): ListColumn<Customer>[] => [
  {
    id: "name",
    name: words.name,
    cell: (customer) => (
      <>
        <Link to={`/p/${id}/customers/${customer.id}`} className={styles.name}>
          {nameOf(customer)}
        </Link>
        {customer.name && customer.source_id && <small className={styles.source}>{customer.source_id}</small>}
      </>
    ),
  },
  { id: "email", name: words.email, cell: ({ email }) => email },
  { id: "phone", name: words.phone, cell: ({ phone }) => phone },
  { id: "city", name: words.city, cell: ({ address }) => address?.city },
  { id: "created", name: words.created, cell: ({ created_at }) => dates.day(created_at) },
  { id: "source_id", name: words.source_id, is_extra: true, cell: ({ source_id }) => <Clip code>{source_id}</Clip> },
  { id: "id", name: t.list.id, is_extra: true, cell: ({ id }) => <Clip code>{id}</Clip> },
  {
    id: "last_order",
    name: words.last_order,
    cell: ({ summary: { orders } }) => (orders.last_order_date ? dates.day(orders.last_order_date) : ""),
  },
  { id: "orders", name: words.orders, align: "right", cell: ({ summary: { orders } }) => count(orders.total_count) },
  { id: "spent", name: words.spent, align: "right", cell: ({ summary: { orders } }) => money(orders.total_amount) },
];
