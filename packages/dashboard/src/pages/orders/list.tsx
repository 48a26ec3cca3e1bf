import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useProject } from "../../api/project.js";
import { Browse } from "../../parts/lists/browse.js";
import { orderColumns } from "../../parts/orders.js";
import { t } from "../../text/index.js";
import { PageHead, State } from "../../ui/page.js";
import { type OrderSearch, order_statuses, ordersQuery } from "./orders.queries.js";

const words = t.orders;
const find = { name: "find", label: words.find };
const filters = [
  {
    name: "status",
    label: words.status,
    options: order_statuses.map((value) => ({ value, label: words.statuses[value] })),
  },
  { name: "customer", label: words.customer },
];
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
  { value: "-updated_at", label: words.changed },
];

/** All orders of a project, and what was taken off each. */
export function Orders() {
  const project = useProject();
  const orders = useQuery(ordersQuery(project, useSearch({ strict: false }) as OrderSearch));
  return (
    <>
      <PageHead title={words.title} />
      <Browse
        columns={({ customers }) => orderColumns(project, customers)}
        {...{
          list: "orders",
          of: orders,
          what: words.title,
          find,
          filters,
          sorts,
          found: words.found,
        }}
        none={(is_narrowed) => (
          <State icon="shoppingBag" title={is_narrowed ? words.none_match : words.none}>
            {is_narrowed ? null : words.none_lead}
          </State>
        )}
      />
    </>
  );
}
