import { bodyOf, type Schemas } from "../../api/client.js";
import type { Project } from "../../api/project.js";
import type { KindName } from "./kinds.js";

interface Sending {
  form: FormData;
  /** The name of the request: sent a second time it starts no second import. */
  request_name: string;
  /** Name or id of the one that codes are imported into. */
  campaign: string;
}

/** Starts an import, by the operation of what it makes. */
export function startImport(
  { api }: Pick<Project, "api">,
  name: KindName,
  { form, request_name, campaign }: Sending,
): Promise<Schemas["AsyncActionStarted"]> {
  const header = { "idempotency-key": request_name };
  // A form goes out as it is; the document calls the file in it a text.
  const sent = { body: form as never, params: { header } };
  switch (name) {
    case "customers":
      return bodyOf(api.POST("/v1/customers/importCSV", sent));
    case "vouchers":
      return bodyOf(api.POST("/v1/vouchers/importCSV", sent));
    case "campaign": {
      const params = { header, path: { campaignId: campaign } };
      return bodyOf(api.POST("/v1/campaigns/{campaignId}/importCSV", { ...sent, params }));
    }
    case "products":
      return bodyOf(api.POST("/v1/products/importCSV", sent));
    case "skus":
      return bodyOf(api.POST("/v1/skus/importCSV", sent));
  }
}
