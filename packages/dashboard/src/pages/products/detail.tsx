import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { type Project, useProject } from "../../api/project.js";
import { Metadata } from "../../parts/metadata.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { More } from "../../ui/list/more.js";
import { Card, Columns, Facts, PageHead, Stack, State } from "../../ui/page.js";
import { RowMenu } from "../../ui/row-menu.js";
import { Clip } from "../../ui/table/clip.js";
import { type Column, Table } from "../../ui/table/table.js";
import { EditProduct, EditSku } from "./edit.js";
import { type Product, productQuery, type Sku, skusQuery } from "./products.queries.js";

const words = t.products;

/** One product: its SKUs, and what a project keeps about it. */
export function ProductPage() {
  const project = useProject();
  const { product: id } = useParams({ strict: false }) as { product: string };
  const product = useQuery(productQuery(project, id));
  return (
    <Answer of={product} what={words.one}>
      {(product) => (
        <>
          <Crumbs to={`/p/${project.id}/products`}>{words.title}</Crumbs>
          <Head product={product} />
          <Columns>
            <Skus product={id} />
            <Stack>
              <Details product={product} />
              <Metadata of={product.metadata} />
            </Stack>
          </Columns>
        </>
      )}
    </Answer>
  );
}

function Head({ product }: { product: Product }) {
  const { may, money } = useProject();
  const [editing, setEditing] = useState(false);
  const { name, price } = product;
  return (
    <PageHead title={<bdi>{name ?? words.unnamed}</bdi>} lead={price === null ? undefined : money(price)}>
      {may("products.update") && (
        <Button icon="pencil" onClick={() => setEditing(true)}>
          {words.edit}
        </Button>
      )}
      {editing && <EditProduct of={product} onClose={() => setEditing(false)} />}
    </PageHead>
  );
}

function Skus({ product }: { product: string }) {
  const project = useProject();
  const skus = useInfiniteQuery(skusQuery(project, product));
  const [edited, setEdited] = useState<Sku | null>(null);
  return (
    <Card title={words.skus} flush>
      <Answer of={skus} what={words.skus}>
        {({ pages }) => {
          const rows = pages.flatMap(({ skus }) => skus);
          if (rows.length === 0) return <State icon="box" title={words.no_skus} />;
          const columns = columnsOf(project, setEdited);
          return (
            <>
              <Table label={words.skus} rows={rows} keyOf={({ id }) => id} columns={columns} />
              <More of={skus} />
            </>
          );
        }}
      </Answer>
      {edited && <EditSku of={edited} onClose={() => setEdited(null)} />}
    </Card>
  );
}

const columnsOf = ({ may, money }: Project, onEdit: (sku: Sku) => void): Column<Sku>[] => [
  {
    name: words.sku,
    cell: ({ sku, source_id }) => (
      <>
        <Clip strong>{sku ?? words.unnamed}</Clip>
        {source_id && (
          <small>
            <Clip code>{source_id}</Clip>
          </small>
        )}
      </>
    ),
  },
  { name: words.attributes, cell: ({ attributes }) => <Clip>{pairsOf(attributes)}</Clip> },
  { name: words.metadata, cell: ({ metadata }) => <Clip>{pairsOf(metadata)}</Clip> },
  { name: words.price, align: "right", cell: ({ price }) => (price === null ? words.own_price : money(price)) },
  {
    name: words.actions,
    hidden_name: true,
    align: "right",
    cell: (sku) => (
      <RowMenu
        label={words.actions_of(sku.sku ?? sku.id)}
        actions={may("products.skus.update") ? [{ label: words.edit, icon: "pencil", onClick: () => onEdit(sku) }] : []}
      />
    ),
  },
];

/** `colour: red, size: 3` */
const pairsOf = (of: Readonly<Record<string, unknown>>): string =>
  Object.entries(of)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

function Details({ product }: { product: Product }) {
  const { dates } = useProject();
  const { id, source_id, attributes, image_url, created_at, updated_at } = product;
  return (
    <Card title={words.details}>
      <Facts
        of={[
          [words.attributes, attributes.join(", ")],
          [words.image, image_url],
          [words.created, dates.minute(created_at)],
          [words.updated, updated_at ? dates.minute(updated_at) : undefined],
          [words.source_id, source_id && <code key="source">{source_id}</code>],
          [words.id, <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
}
