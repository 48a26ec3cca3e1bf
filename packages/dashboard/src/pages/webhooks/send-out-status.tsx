import { t } from "../../text/index.js";
import type { IconName } from "../../ui/icon.js";
import { Status, type Tone } from "../../ui/status.js";
import type { Sent } from "./webhooks.queries.js";

const looks: Record<Sent["status"], readonly [Tone, IconName]> = {
  WAITING: ["mute", "clock"],
  RETRYING: ["warn", "refresh"],
  SUCCEEDED: ["ok", "circleCheck"],
  FAILED: ["bad", "circleX"],
};

/** How far a message is. */
export function SendOutStatus({ of: { status } }: { of: Pick<Sent, "status"> }) {
  const [tone, icon] = looks[status];
  return (
    <Status tone={tone} icon={icon}>
      {t.send_outs.statuses[status]}
    </Status>
  );
}
