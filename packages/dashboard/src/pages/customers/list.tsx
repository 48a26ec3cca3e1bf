import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Customer, nameOf } from "../../api/people.js";
import { type Project, useProject } from "../../api/project.js";
import { Browse } from "../../parts/browse.js";
import { t } from "../../text/index.js";
import { PageHead, State } from "../../ui/page.js";
import { type Column, Table } from "../../ui/table/table.js";
import styles from "./customers.module.css";
import { type CustomerSearch, customersQuery, segmentsQuery } from "./customers.queries.js";

const words = t.customers;
const find = { name: "find", label: words.find };
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
  { value: "-updated_at", label: words.changed },
];

/** Everybody a project knows. */
export function Customers() {
  const project = useProject();
  const customers = useQuery(customersQuery(project, useSearch({ strict: false }) as CustomerSearch));
  const filters = useFilters();
  return (
    <>
      <PageHead title={words.title} />
      <Browse
        {...{ of: customers, what: words.title, find, filters, sorts, found: words.found }}
        none={(is_narrowed) => (
          <State icon="users" title={is_narrowed ? words.none_match : words.none}>
            {is_narrowed ? words.none_match_lead : words.none_lead}
          </State>
        )}
      >
        {({ data }) => <Table label={words.title} rows={data} keyOf={({ id }) => id} columns={columnsOf(project)} />}
      </Browse>
    </>
  );
}

/** Segments are chosen by their names, where the role shows them. */
function useFilters() {
  const project = useProject();
  const may = project.may("segments.read");
  const { data = [] } = useQuery({ ...segmentsQuery(project), enabled: may });
  const options = data.map(({ id, name }) => ({ value: id, label: name }));
  return [
    ...(options.length > 0 ? [{ name: "segment", label: words.segment, options }] : []),
    { name: "city", label: words.city },
  ];
}

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
