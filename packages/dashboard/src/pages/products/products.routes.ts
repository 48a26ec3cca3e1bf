import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { productQuery, productSearch, productsQuery, skusQuery } from "./products.queries.js";

export function productRoutes(project: AnyRoute) {
  const products = createRoute({
    getParentRoute: () => project,
    path: "products",
    validateSearch: productSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(productsQuery(here, deps)),
    component: lazyRouteComponent(() => import("./list.js"), "Products"),
  });
  const product = createRoute({
    getParentRoute: () => project,
    path: "products/$product",
    loader: ({ context: { here }, params: { product } }) => {
      void here.queries.prefetchQuery(productQuery(here, product));
      void here.queries.prefetchInfiniteQuery(skusQuery(here, product));
    },
    component: lazyRouteComponent(() => import("./detail.js"), "ProductPage"),
  });
  return [products, product];
}
