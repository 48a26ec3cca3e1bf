import type { Instant } from "../../platform/clock.js";
import type { Requested } from "../../recording/index.js";
import type { CustomerInput } from "../customers/index.js";
import type { Project } from "../projects/index.js";

/** Who publishes: a caller, or the service itself. */
export interface Publisher extends Requested {
  project: Project;
}

/** What is to be given to whom (vouchers-and-campaigns.md §11.1). Names a code, or a campaign that any code may come from. */
export interface PublishRequest {
  customer: CustomerInput;
  /** The campaign's id. With a code: the campaign that the code must belong to. */
  campaign_id: string | null;
  code: string | null;
  /** The publisher's own id of the publication: the same one gives the same code again. */
  source_id: string | null;
  metadata: Record<string, unknown>;
  channel: string;
  /** Gives the code that the customer has already, if any, instead of a refusal or a second one. */
  join_once: boolean;
  /** How many codes of the campaign; one where a code is named. */
  count: number;
}

/** Codes that one publication gives at most. */
export const count_max = 50;

/** As long a channel as is kept. */
export const channel_length_max = 255;

/** A code given to a customer, or the attempt that was refused (§11.4). */
export interface Publication {
  id: string;
  customer_id: string;
  campaign_id: string | null;
  /** Null where several were given (`PublishedVoucher`), or none. */
  voucher_id: string | null;
  source_id: string | null;
  channel: string;
  metadata: Record<string, unknown>;
  result: "SUCCESS" | "FAILURE";
  failure_code: string | null;
  failure_message: string | null;
  created_at: Instant;
}

/** A voucher that a publication of several gave. */
export interface PublishedVoucher {
  publication_id: string;
  /** From 0, in the order of the answer. */
  place: number;
  voucher_id: string;
}

/** Who holds a voucher, and by which publication (§12). */
export interface VoucherHolder {
  id: string;
  voucher_id: string;
  customer_id: string;
  role: "OWNER" | "REFERRER" | "REFEREE";
  campaign_id: string | null;
  publication_id: string | null;
  /** What the caller says of a referee; null of everybody else, and where nothing is said. */
  metadata: Record<string, unknown> | null;
  created_at: Instant;
}
