import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { askedBy, listOf } from "../../api/filters.js";
import { type Project, useProject } from "../../api/project.js";

type Calls = Pick<Project, "api" | "id">;
export type Webhook = Schemas["Webhook"];
export type WebhookEvent = Webhook["events"][number];
export type SendOut = Schemas["SendOut"];
export type Sent = Schemas["SendOutShown"];

const all = "/management/v1/projects/{projectId}/webhooks";
const one = "/management/v1/projects/{projectId}/webhooks/{webhookId}";
const sent = "/management/v1/projects/{projectId}/send-outs";

export const webhooksQuery = ({ api, id: projectId }: Calls) =>
  queryOptions({
    queryKey: ["webhooks"],
    queryFn: async () => (await bodyOf(api.GET(all, { params: { path: { projectId } } }))).data,
  });

/** What signs every message: read when somebody asks to see it, and not before. */
export const secretQuery = ({ api, id: projectId }: Calls) =>
  queryOptions({
    queryKey: ["webhooks", "secret"],
    queryFn: async () => {
      const project = await bodyOf(api.GET("/management/v1/projects/{projectId}", { params: { path: { projectId } } }));
      return project.webhook_token;
    },
    // Not kept once nobody looks at it.
    gcTime: 0,
  });

/** Another secret, which signs from then on. */
export function useNewSecret() {
  const project = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => bodyOf(project.api.POST("/dashboard/v1/webhook-secret")),
    onSuccess: ({ webhook_token }) => queries.setQueryData(secretQuery(project).queryKey, webhook_token),
  });
}

/** What can be done to webhooks. A change names everything of one, as the operation wants it. */
export function useWebhookDeeds() {
  const project = useProject();
  const { api, id: projectId } = project;
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["webhooks"], exact: true });
  const of = (webhookId: string) => ({ params: { path: { projectId, webhookId } } });
  return {
    read: ({ id }: Webhook): Promise<Webhook> => bodyOf(api.GET(one, of(id))),
    async save(before: Webhook | null, { active, ...body }: Schemas["WebhookInput"]) {
      // Left out where it stays: to say it again would begin anew with what failed so far.
      const switched = active === before?.active ? {} : { active };
      if (before) await bodyOf(api.PUT(one, { ...of(before.id), body: { ...body, ...switched } }));
      else await bodyOf(api.POST(all, { params: { path: { projectId } }, body: { ...body, active } }));
      await onSuccess();
    },
    turn: useMutation({
      mutationFn: async ({ id, active }: Pick<Webhook, "id" | "active">) => {
        // As it is now: whoever takes it back ten seconds later takes back no more than that.
        const webhooks = await queries.fetchQuery(webhooksQuery(project));
        const now = webhooks.find((webhook) => webhook.id === id);
        if (!now) return;
        const { target_url, events } = now;
        await bodyOf(api.PUT(one, { ...of(id), body: { target_url, events, active } }));
      },
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => bodyOf(api.DELETE(one, of(id))), onSuccess }),
  };
}

export const sendOutSearch = listOf(["status", "webhook", "type", "after"]);
export type SendOutSearch = ReturnType<typeof sendOutSearch>;

/** In the order in which somebody looks for them. */
export const statuses = ["FAILED", "RETRYING", "WAITING", "SUCCEEDED"] as const;

const asked_again_ms = 2_000;
const hasEnded = ({ next_attempt_at }: Pick<Sent, "next_attempt_at">) => next_attempt_at === null;
/** One that is tried again in hours is not asked for every two seconds. */
const isNear = ({ next_attempt_at }: Pick<Sent, "next_attempt_at">) =>
  next_attempt_at !== null && Date.parse(next_attempt_at) - Date.now() < 60_000;

export const sendOutsQuery = ({ api, id: projectId }: Calls, search: SendOutSearch) =>
  queryOptions({
    queryKey: ["send-outs", "list", askedBy(search)],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { type, webhook: webhook_id, after: starting_after_id } = search;
      const status = statuses.find((one) => one.toLowerCase() === search.status);
      const query = { limit: 50, status, type, webhook_id, starting_after_id };
      const page = await bodyOf(api.GET(sent, { params: { path: { projectId }, query } }));
      // Said only of a page that comes after something.
      return { ...page, has_more: page.has_more ?? page.total > page.data.length };
    },
    refetchInterval: ({ state }) => (state.data?.data.some(isNear) ? asked_again_ms : false),
  });

const sendOutKey = (id: string) => ["send-outs", "one", id];

export const sendOutQuery = ({ api, id: projectId }: Calls, sendOutId: string) =>
  queryOptions({
    queryKey: sendOutKey(sendOutId),
    queryFn: () => bodyOf(api.GET(`${sent}/{sendOutId}`, { params: { path: { projectId, sendOutId } } })),
    refetchInterval: ({ state }) => (state.data && isNear(state.data) ? asked_again_ms : false),
  });

/** Sending a message once more that has ended; its page follows what becomes of it. */
export function useSendAgain() {
  const { api, id: projectId } = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sendOutId: string) =>
      bodyOf(api.POST(`${sent}/{sendOutId}/retry`, { params: { path: { projectId, sendOutId } } })),
    onSuccess: async (again) => {
      queries.setQueryData(sendOutKey(again.id), again);
      await queries.invalidateQueries({ queryKey: ["send-outs", "list"] });
    },
  });
}

export { hasEnded };
