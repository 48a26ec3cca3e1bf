import type { VoucherState } from "../api/incentive.js";
import { t } from "../text/index.js";
import type { IconName } from "../ui/icon.js";
import { Status, type Tone } from "../ui/status.js";

const looks: Record<VoucherState, readonly [Tone, IconName]> = {
  active: ["ok", "circleCheck"],
  disabled: ["mute", "ban"],
  not_started: ["info", "clock"],
  expired: ["mute", "hourglass"],
  used_up: ["mute", "check"],
};

export const VoucherStatus = ({ state }: { state: VoucherState }) => {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {t.vouchers.states[state]}
    </Status>
  );
};
