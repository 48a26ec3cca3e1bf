import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listOf } from "../../api/filters.js";
import { ruleQuery, rulesQuery } from "../../parts/rules/rules.queries.js";

export function ruleRoutes(project: AnyRoute) {
  const rules = createRoute({
    getParentRoute: () => project,
    path: "rules",
    validateSearch: listOf(["sort", "after"]),
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(rulesQuery(here, deps)),
    component: lazyRouteComponent(() => import("./list.js"), "RuleList"),
  });
  const newRule = createRoute({
    getParentRoute: () => project,
    path: "rules/new",
    component: lazyRouteComponent(() => import("./edit.js"), "NewRule"),
  });
  const rule = createRoute({
    getParentRoute: () => project,
    path: "rules/$rule",
    loader: ({ context: { here }, params: { rule } }) => void here.queries.prefetchQuery(ruleQuery(here, rule)),
    component: lazyRouteComponent(() => import("./detail.js"), "RulePage"),
  });
  const edited = createRoute({
    getParentRoute: () => project,
    path: "rules/$rule/edit",
    loader: ({ context: { here }, params: { rule } }) => void here.queries.prefetchQuery(ruleQuery(here, rule)),
    component: lazyRouteComponent(() => import("./edit.js"), "EditRule"),
  });
  return [rules, newRule, rule, edited];
}
