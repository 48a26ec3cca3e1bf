import type { Me } from "../../api/me.js";
import { t } from "../../text/index.js";

/** Who asked: a key by its name, oneself by one's own. */
export function whoOf(event_source: unknown, me: Me): string {
  const { channel, user, api_key } = event_source as {
    channel?: string;
    user?: { id: string };
    api_key?: { name: string };
  };
  if (api_key?.name) return api_key.name;
  if (user?.id === me.id) return `${me.first_name} ${me.last_name}`.trim() || (me.email ?? "");
  return t.requests.channels[channel ?? ""] ?? channel ?? "";
}

/** How an answer is looked at by its status. */
export const toneOf = (status: number): "ok" | "warn" | "bad" => (status < 400 ? "ok" : status < 500 ? "warn" : "bad");
