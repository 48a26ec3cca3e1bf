import type { Schemas } from "../api/client.js";
import { t } from "../text/index.js";
import type { IconName } from "../ui/icon.js";
import { Status, type Tone } from "../ui/status.js";

type OrderStatusName = Schemas["Order"]["status"];

const looks: Record<OrderStatusName, readonly [Tone, IconName]> = {
  CREATED: ["info", "clock"],
  PAID: ["ok", "circleCheck"],
  FULFILLED: ["ok", "truckDelivery"],
  CANCELED: ["mute", "ban"],
};

export const OrderStatus = ({ status }: { status: OrderStatusName }) => {
  const [tone, icon] = looks[status];
  return (
    <Status tone={tone} icon={icon}>
      {t.orders.statuses[status]}
    </Status>
  );
};
