import type { Campaign } from "../../api/campaign.js";
import { bodyOf } from "../../api/client.js";
import type { Project } from "../../api/project.js";
import { type Act, type Acts, oneByOne } from "../../parts/lists/acts.js";
import { t } from "../../text/index.js";

const nameOf = ({ name }: Campaign) => name;
const at = ({ id }: Campaign) => ({ params: { path: { campaignId: id } } });

/** What may be done to many campaigns at once, as far as the role goes. */
export function campaignActs({ api, may }: Project): Acts<Campaign> {
  const enable: Act<Campaign> = {
    ...t.campaign_acts.enable,
    icon: "playerPlay",
    run: (rows, _given, job) =>
      oneByOne(rows, { nameOf, one: (row) => bodyOf(api.POST("/v1/campaigns/{campaignId}/enable", at(row))) }, job),
  };
  const disable: Act<Campaign> = {
    ...t.campaign_acts.disable,
    icon: "ban",
    run: (rows, _given, job) =>
      oneByOne(rows, { nameOf, one: (row) => bodyOf(api.POST("/v1/campaigns/{campaignId}/disable", at(row))) }, job),
  };
  return {
    nameOf,
    all: [...(may("campaigns.enable.create") ? [enable] : []), ...(may("campaigns.disable.create") ? [disable] : [])],
  };
}
