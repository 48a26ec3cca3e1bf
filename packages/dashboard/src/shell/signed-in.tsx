import { QueryClientProvider, useSuspenseQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { meQuery } from "../api/me.js";
import { InProject, queriesOf } from "../api/project.js";
import { lastProject, rememberProject } from "./last-project.js";
import { Notices } from "./notices.js";
import { Search } from "./search.js";
import { Shell } from "./shell.js";

/** The shell around a page; what stands in a project gets its cache, too. */
export function SignedIn() {
  const { data: me } = useSuspenseQuery(meQuery);
  const { project: id } = useParams({ strict: false }) as { project?: string };
  const named = me?.projects.find((project) => project.id === id);
  const fields = named ?? (me ? lastProject(me) : undefined);
  useEffect(() => {
    if (named) rememberProject(named.id);
  }, [named]);
  if (!me) return null;
  if (!named || !fields)
    return (
      <Shell me={me} project={fields}>
        <Outlet />
      </Shell>
    );
  return (
    <InProject me={me} fields={fields}>
      <Shell me={me} project={fields} top={<Search />} beside_help={<Notices />}>
        <QueryClientProvider client={queriesOf(fields.id)}>
          <Outlet />
        </QueryClientProvider>
      </Shell>
    </InProject>
  );
}
