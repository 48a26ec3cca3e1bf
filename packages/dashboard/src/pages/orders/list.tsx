import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { OrderTable } from "../../parts/orders.js";
import { t } from "../../text/index.js";
import { FilterBar } from "../../ui/list/filter-bar.js";
import { Pages } from "../../ui/list/pages.js";
import { Sorting } from "../../ui/list/sorting.js";
import { Card, PageHead, State } from "../../ui/page.js";
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
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as OrderSearch;
  const orders = useQuery(ordersQuery(project, search));
  const { after, sort, ...values } = search;
  const sorted = sort ? { sort } : {};
  const go = (next: OrderSearch) => void navigate({ to: ".", search: next as never });
  const is_narrowed = Object.keys(values).length > 0;
  return (
    <>
      <PageHead title={words.title} />
      <FilterBar find={find} filters={filters} values={values} onChange={(changed) => go({ ...sorted, ...changed })}>
        <Sorting value={sort} options={sorts} onChange={(sort) => go({ ...values, sort })} />
      </FilterBar>
      <Card flush>
        <Answer of={orders} what={words.title}>
          {({ data, customers, total, total_estimated, has_more }) =>
            data.length === 0 ? (
              <State icon="shoppingBag" title={is_narrowed ? words.none_match : words.none}>
                {is_narrowed ? null : words.none_lead}
              </State>
            ) : (
              <>
                <OrderTable of={data} customers={customers} />
                <Pages
                  found={words.found(t.list.found(project.count(total), total_estimated === true))}
                  onFirst={after ? () => go({ ...values, ...sorted }) : undefined}
                  onNext={has_more ? () => go({ ...search, after: data.at(-1)?.id ?? "" }) : undefined}
                />
              </>
            )
          }
        </Answer>
      </Card>
    </>
  );
}
