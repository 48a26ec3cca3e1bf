import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Project, useProject } from "../../api/project.js";
import { Browse } from "../../parts/browse.js";
import { ImportLink } from "../../parts/import-link.js";
import { t } from "../../text/index.js";
import { PageHead, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { type Column, Table } from "../../ui/table/table.js";
import { type Product, type ProductSearch, productsQuery } from "./products.queries.js";

const words = t.products;
const find = { name: "find", label: words.find };
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
  { value: "-updated_at", label: words.changed },
];

/** What the shop sells, as far as rules and discounts know it. */
export function Products() {
  const project = useProject();
  const products = useQuery(productsQuery(project, useSearch({ strict: false }) as ProductSearch));
  return (
    <>
      <PageHead title={words.title}>
        <ImportLink of="products" needs="products.importCSV.create" />
      </PageHead>
      <Browse
        {...{ of: products, what: words.title, filters: [], find, sorts, found: words.found }}
        none={(is_narrowed) => (
          <State icon="box" title={is_narrowed ? words.none_match : words.none}>
            {!is_narrowed && words.none_lead}
          </State>
        )}
      >
        {({ data }) => <Table label={words.title} rows={data} keyOf={({ id }) => id} columns={columnsOf(project)} />}
      </Browse>
    </>
  );
}

const columnsOf = ({ id: project_id, money, count, dates }: Project): Column<Product>[] => [
  {
    name: words.name,
    cell: ({ id, name }) => (
      <Link to={`/p/${project_id}/products/${id}`}>
        <Clip strong>{name ?? words.unnamed}</Clip>
      </Link>
    ),
  },
  { name: words.source_id, cell: ({ source_id }) => source_id && <Clip code>{source_id}</Clip> },
  { name: words.attributes, cell: ({ attributes }) => <Clip>{attributes.join(", ")}</Clip> },
  { name: words.created, cell: ({ created_at }) => dates.day(created_at) },
  { name: words.skus, align: "right", cell: ({ skus }) => (skus ? count(skus.total) : "") },
  { name: words.price, align: "right", cell: ({ price }) => (price === null ? "" : money(price)) },
];
