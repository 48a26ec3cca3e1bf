import { queryOptions } from "@tanstack/react-query";
import { bodyOf, organization, Refused, refusalIn, type Schemas } from "./client.js";

export type Me = Schemas["Me"];
export type OwnProject = Me["projects"][number];

/** Who is signed in; null: nobody. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  staleTime: 60_000,
  queryFn: async (): Promise<Me | null> => {
    try {
      return await firstAnswer();
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return null;
      throw error;
    }
  },
});

/** The page's head has asked already; its answer is taken once. */
async function firstAnswer(): Promise<Me> {
  const asked = window.guerdonMe;
  delete window.guerdonMe;
  const response = await asked?.catch(() => undefined);
  if (!response) return bodyOf(organization.GET("/dashboard/v1/me"));
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalIn(response, body);
  return body as Me;
}

/** What somebody may do in a project: hides what the service would refuse. */
export function permissionsIn(me: Me, { role }: OwnProject): (code: string) => boolean {
  const codes = new Set(me.permissions[role] ?? []);
  return (code) => codes.has(code);
}
