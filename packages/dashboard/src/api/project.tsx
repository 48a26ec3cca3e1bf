import { QueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { locale } from "../text/index.js";
import { type Api, apiOf, Refused } from "./client.js";
import { type Dates, datesOf } from "./dates.js";
import { type Me, type OwnProject, permissionsIn } from "./me.js";
import { count, digitsOf, money } from "./money.js";

/** Where somebody is: its calls, what they may do there, and how it writes money and dates. */
export interface Project {
  id: string;
  fields: OwnProject;
  me: Me;
  api: Api;
  queries: QueryClient;
  may(code: string): boolean;
  dates: Dates;
  currency: string;
  digits: number;
  money(minor: number): string;
  count(number: number): string;
}

const retries_max = 2;

/** What was refused is refused again; only a service that was away may be there a moment later. */
export const newQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) => failures < retries_max && error instanceof Refused && error.status >= 502,
      },
    },
  });

const caches = new Map<string, QueryClient>();

/** Each project has a cache of its own: a key of it names no project. */
export function queriesOf(project_id: string): QueryClient {
  const queries = caches.get(project_id) ?? newQueries();
  caches.set(project_id, queries);
  return queries;
}

export function projectOf(me: Me, fields: OwnProject): Project {
  const { id, currency, timezone } = fields;
  return {
    id,
    fields,
    me,
    api: apiOf(id),
    queries: queriesOf(id),
    may: permissionsIn(me, fields),
    dates: datesOf(timezone, locale),
    currency,
    digits: digitsOf(currency),
    money: (minor) => money(minor, currency, locale),
    count: (number) => count(number, locale),
  };
}

const Here = createContext<Project | null>(null);

export function InProject({ me, fields, children }: { me: Me; fields: OwnProject; children: ReactNode }) {
  const project = useMemo(() => projectOf(me, fields), [me, fields]);
  return <Here value={project}>{children}</Here>;
}

/** The project of the page. */
export function useProject(): Project {
  const project = useContext(Here);
  if (!project) throw new Error("This page stands in no project.");
  return project;
}
