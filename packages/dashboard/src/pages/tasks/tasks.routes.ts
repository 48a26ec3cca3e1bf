import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { exportSearch, exportsQuery, taskQuery, taskSearch, tasksQuery } from "./tasks.queries.js";

export function taskRoutes(project: AnyRoute) {
  const tasks = createRoute({
    getParentRoute: () => project,
    path: "tasks",
    validateSearch: taskSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(tasksQuery(here, deps.before)),
    component: lazyRouteComponent(() => import("./list.js"), "Tasks"),
  });
  const exports = createRoute({
    getParentRoute: () => project,
    path: "tasks/exports",
    validateSearch: exportSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) =>
      void here.queries.prefetchQuery(exportsQuery(here, Number(deps.page ?? 1) || 1)),
    component: lazyRouteComponent(() => import("./exports.js"), "Exports"),
  });
  const task = createRoute({
    getParentRoute: () => project,
    path: "tasks/$task",
    loader: ({ context: { here }, params: { task } }) => void here.queries.prefetchQuery(taskQuery(here, task)),
    component: lazyRouteComponent(() => import("./detail.js"), "TaskPage"),
  });
  return [tasks, exports, task];
}
