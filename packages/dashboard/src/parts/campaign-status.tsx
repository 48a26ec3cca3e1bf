import type { CampaignState } from "../api/campaign.js";
import { t } from "../text/index.js";
import type { IconName } from "../ui/icon.js";
import { Status, type Tone } from "../ui/status.js";

const looks: Record<CampaignState, readonly [Tone, IconName]> = {
  active: ["ok", "circleCheck"],
  disabled: ["mute", "ban"],
  scheduled: ["info", "clock"],
  expired: ["mute", "hourglass"],
  generating: ["info", "loader2"],
  failed: ["bad", "alertCircle"],
  draft: ["mute", "pencil"],
};

export const CampaignStatus = ({ state }: { state: CampaignState }) => {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {t.campaigns.states[state]}
    </Status>
  );
};
