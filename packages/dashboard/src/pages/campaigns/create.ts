import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { bodyOf, Refused, type Schemas } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";
import { newRequestName, requestNameOf } from "../../api/request-name.js";
import { t } from "../../text/index.js";
import { campaignOf, type Form, isGeneric, type Kind, ruleOf } from "./wizard-form.js";

type Campaign = Schemas["CampaignCreate"];

/**
 * Rule, campaign and code one after the other. Each is a request with a name that is made of what it says, so that whatever was made,
 * though no answer came, is not made again when it is tried once more, after a new load of the page either.
 *
 * @param renew gives a new name, for what was thrown away and may be wanted after all
 */
export function useCreate(kind: Kind, form: Form, request_name: string, renew: (name: string) => void) {
  const project = useProject();
  const { api } = project;
  const queries = useQueryClient();
  const last = useRef<Campaign | null>(null);
  return useMutation({
    mutationFn: async (): Promise<string> => {
      const path = { code: form.code.trim() };
      if (isGeneric(kind, form) && (await isTaken(project, path.code, form)))
        throw new Error(t.wizard.code_taken(path.code));
      const rule = ruleOf(kind, form, project);
      const rule_id = rule
        ? (await bodyOf(api.POST("/v1/validation-rules", { body: rule, params: named(request_name, rule) }))).id
        : form.rule || null;
      const body = campaignOf(kind, form, project, rule_id);
      let name = request_name;
      if (last.current && JSON.stringify(last.current) !== JSON.stringify(body)) {
        // Made by an attempt that got no further, and no longer what is wanted.
        const former = await makeCampaign(project, name, last.current);
        last.current = null;
        name = newRequestName();
        renew(name);
        await removeCampaign(project, former);
      }
      last.current = body;
      const campaign_id = await makeCampaign(project, name, body).catch((error: unknown) => {
        // What was refused is not there; of what was not answered nobody knows.
        if (error instanceof Refused && error.status >= 400 && error.status < 500) last.current = null;
        throw error;
      });
      if (isGeneric(kind, form)) {
        const voucher = { campaign_id, redemption: { quantity: form.limit === "" ? null : Number(form.limit) } };
        const params = { path, ...named(name, { ...voucher, ...path }) };
        await bodyOf(api.POST("/v1/vouchers/{code}", { params, body: voucher as never }));
      }
      return campaign_id;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["campaigns"] }),
  });
}

const named = (request_name: string, body: object) => ({
  header: { "idempotency-key": requestNameOf(request_name, body) },
});

const makeCampaign = async ({ api }: Project, request_name: string, body: Campaign): Promise<string> =>
  ((await bodyOf(api.POST("/v1/campaigns", { body, params: named(request_name, body) }))) as { id: string }).id;

const asked_again_ms = 500;
const asked_max = 40;

/** Deletes it for good, and waits until its name is free: that is done in the background. */
async function removeCampaign({ api }: Project, campaignId: string): Promise<void> {
  const params = { path: { campaignId }, query: { force: true } };
  const { async_action_id } = await bodyOf(api.DELETE("/v1/campaigns/{campaignId}", { params }));
  if (async_action_id === undefined) return;
  for (let asked = 0; asked < asked_max; asked += 1) {
    const task = { params: { path: { asyncActionId: async_action_id } } };
    const { status } = await bodyOf(api.GET("/v1/async-actions/{asyncActionId}", task));
    if (status === "DONE" || status === "FAILED") return;
    await new Promise((resolve) => setTimeout(resolve, asked_again_ms));
  }
  throw new Error(t.wizard.former_stays);
}

/** Asked before anything is made, so that nothing is left behind; whether by another campaign than this one. */
async function isTaken({ api }: Project, code: string, form: Form): Promise<boolean> {
  try {
    const { campaign } = await bodyOf(api.GET("/v1/vouchers/{code}", { params: { path: { code } } }));
    return campaign !== form.name.trim();
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return false;
    throw error;
  }
}
