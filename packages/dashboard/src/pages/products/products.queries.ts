import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { bodyOf, Refused, type Schemas } from "../../api/client.js";
import { listOf } from "../../api/filters.js";
import { type Project, useProject } from "../../api/project.js";
import { sliceOf } from "../../api/slices.js";
import { t } from "../../text/index.js";
import { toast } from "../../ui/toast.js";

type Calls = Pick<Project, "api">;
export type Product = Schemas["Product"];
export type Sku = Schemas["Sku"];

export const productSearch = listOf(["find", "sort", "after"]);
export type ProductSearch = ReturnType<typeof productSearch>;

const orders = ["-created_at", "created_at", "-updated_at"] as const;
const rows_at_once = 50;

/** All of them, or the one that is named: the API finds products by nothing but their ids. */
export const productsQuery = (project: Calls, { find, sort, after }: ProductSearch) =>
  queryOptions({
    queryKey: ["products", "list", find, sort, after],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      if (find !== undefined) {
        const found = await productNamed(project, find);
        return { data: found, total: found.length, has_more: false };
      }
      const order = orders.find((one) => one === sort) ?? "-created_at";
      const query = { limit: rows_at_once, order, starting_after_id: after };
      const { products, ...counts } = await bodyOf(project.api.GET("/v1/products", { params: { query } }));
      return sliceOf({ data: products, ...counts });
    },
  });

async function productNamed({ api }: Calls, productId: string): Promise<Product[]> {
  try {
    return [await bodyOf(api.GET("/v1/products/{productId}", { params: { path: { productId } } }))];
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return [];
    throw error;
  }
}

/** Without its SKUs, which have a list of their own. */
export const productQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["products", "one", id],
    queryFn: () => {
      const params = { path: { productId: id }, query: { hide: "sku" as const } };
      return bodyOf(api.GET("/v1/products/{productId}", { params }));
    },
  });

/** A SKU of a product, as it is now. */
export const readSku = ({ api }: Calls, { product_id: productId, id: skuId }: Sku): Promise<Sku> =>
  bodyOf(api.GET("/v1/products/{productId}/skus/{skuId}", { params: { path: { productId, skuId } } }));

type Skus = Schemas["SkuList"];

export const skusQuery = ({ api }: Calls, product: string) =>
  infiniteQueryOptions({
    queryKey: ["products", "skus", product],
    queryFn: ({ pageParam: starting_after_id }): Promise<Skus> => {
      const params = { path: { productId: product }, query: { limit: rows_at_once, starting_after_id } };
      return bodyOf(api.GET("/v1/products/{productId}/skus", { params }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Skus) => {
      const { data, has_more } = sliceOf({ data: last.skus, ...last });
      return has_more ? data.at(-1)?.id : undefined;
    },
  });

/** Saving of what a catalogue holds, and what follows from it. */
export function useCatalogueSaves() {
  const { api } = useProject();
  const queries = useQueryClient();
  return {
    product: ({ id: productId }: Product, body: Schemas["ProductUpdate"]) =>
      bodyOf(api.PUT("/v1/products/{productId}", { params: { path: { productId } }, body })),
    sku: ({ product_id: productId, id: skuId }: Sku, body: Schemas["SkuUpdate"]) =>
      bodyOf(api.PUT("/v1/products/{productId}/skus/{skuId}", { params: { path: { productId, skuId } }, body })),
    onSaved: (name: string) => {
      toast(t.products.saved(name));
      return queries.invalidateQueries({ queryKey: ["products"] });
    },
  };
}
