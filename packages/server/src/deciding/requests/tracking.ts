import type { Customer, CustomerInput } from "../../features/customers/index.js";
import type { Seal } from "../../platform/secrets.js";

/** Tokens that name a customer to a shop's browser without telling the source id (platform.md §5). */
export interface Tracking {
  tokenOf(source_id: string): string;
  /** The source id behind a token of ours; any other text is a source id itself. */
  sourceIdOf(tracking_id: string): string;
}

const prefix = "track_";

/** The longest token: that of a source id of 255 characters, four bytes each. */
export const tracking_id_length_max = 1_500;

/** A project's tokens: the same customer always has the same one. */
export function trackingOf(seal: Seal, project_id: string): Tracking {
  const purpose = `tracking ${project_id}`;
  let last: { source_id: string; token: string } | undefined;
  return {
    tokenOf(source_id) {
      if (last?.source_id !== source_id) last = { source_id, token: prefix + seal.token(purpose, source_id) };
      return last.token;
    },
    sourceIdOf(tracking_id) {
      if (!tracking_id.startsWith(prefix)) return tracking_id;
      return seal.readToken(purpose, tracking_id.slice(prefix.length)) ?? tracking_id;
    },
  };
}

/** The token of the request's customer; null when nobody was named (redemption.md §6). */
export function trackingIdOf(
  { customer, tracking }: { customer: CustomerInput | null; tracking: Tracking },
  known: Customer | undefined,
): string | null {
  const name = known?.source_id ?? customer?.source_id ?? known?.id ?? customer?.id;
  return name ? tracking.tokenOf(name) : null;
}
