import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Project, useProject } from "../../api/project.js";
import { ImportLink } from "../../parts/import-link.js";
import { Browse } from "../../parts/lists/browse.js";
import type { ListColumn } from "../../parts/lists/list.js";
import { t } from "../../text/index.js";
import { PageHead, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
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
        {...{
          list: "products",
          columns: () => columnsOf(project),
          of: products,
          what: words.title,
          filters: [],
          find,
          sorts,
          found: words.found,
        }}
        none={(is_narrowed) => (
          <State icon="box" title={is_narrowed ? words.none_match : words.none}>
            {!is_narrowed && words.none_lead}
          </State>
        )}
      />
    </>
  );
}

const columnsOf = ({ id: project_id, money, count, dates }: Project): ListColumn<Product>[] => [
  {
    id: "name",
    name: words.name,
    cell: ({ id, name }) => (
      <Link to={`/p/${project_id}/products/${id}`}>
        <Clip strong>{name ?? words.unnamed}</Clip>
      </Link>
    ),
  },
  { id: "source_id", name: words.source_id, cell: ({ source_id }) => source_id && <Clip code>{source_id}</Clip> },
  { id: "attributes", name: words.attributes, cell: ({ attributes }) => <Clip>{attributes.join(", ")}</Clip> },
  { id: "created", name: words.created, cell: ({ created_at }) => dates.day(created_at) },
  { id: "updated", name: words.updated, is_extra: true, cell: ({ updated_at }) => updated_at && dates.day(updated_at) },
  { id: "id", name: t.list.id, is_extra: true, cell: ({ id }) => <Clip code>{id}</Clip> },
  { id: "skus", name: words.skus, align: "right", cell: ({ skus }) => (skus ? count(skus.total) : "") },
  { id: "price", name: words.price, align: "right", cell: ({ price }) => (price === null ? "" : money(price)) },
];
