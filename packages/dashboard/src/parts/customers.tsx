import { Link } from "@tanstack/react-router";
import { type Customer, nameOf } from "../api/people.js";
import { type Project, useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { type Column, Table } from "../ui/table/table.js";
import styles from "./customers.module.css";

const words = t.customers;

/** Customers, each with what they have spent. */
export const CustomerTable = ({ of }: { of: readonly Customer[] }) => (
  <Table label={words.title} rows={of} keyOf={({ id }) => id} columns={columnsOf(useProject())} />
);

const columnsOf = ({ id, money, count, dates }: Project): Column<Customer>[] => [
  {
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
  { name: words.email, cell: ({ email }) => email },
  { name: words.phone, cell: ({ phone }) => phone },
  { name: words.city, cell: ({ address }) => address?.city },
  { name: words.created, cell: ({ created_at }) => dates.day(created_at) },
  {
    name: words.last_order,
    cell: ({ summary: { orders } }) => (orders.last_order_date ? dates.day(orders.last_order_date) : ""),
  },
  { name: words.orders, align: "right", cell: ({ summary: { orders } }) => count(orders.total_count) },
  { name: words.spent, align: "right", cell: ({ summary: { orders } }) => money(orders.total_amount) },
];
