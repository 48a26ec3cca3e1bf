import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { refusals } from "../../terms/index.js";

export interface CustomEventCount {
  customer_id: string;
  name: string;
  count: number;
  last_at: Instant;
}

/** How often each customer sent the custom events, and when last. */
export const findCustomEventCounts = (
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
  names: readonly string[],
) =>
  db.many<CustomEventCount>(sql`
    select custom_event_counts.customer_id, custom_event_counts.name, custom_event_counts.count,
           custom_event_counts.last_at
      from custom_event_counts
     where custom_event_counts.project_id = ${project_id}
       and custom_event_counts.customer_id = any(${customer_ids}::text[])
       and custom_event_counts.name = any(${names}::text[])`);

export interface PublicationToCustomer {
  customer_id: string;
  /** The voucher that was given. */
  related_object_id: string;
  created_at: Instant;
}

/** Of one customer, that a filter is shown: some 30 ms to read and to walk. */
const publications_max = 10_000;

/**
 * What was given to each customer; refused publications are none.
 * @throws where a customer was given more than a filter is shown: it would not be told the truth of the rest
 */
export async function findPublicationsTo(
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
): Promise<PublicationToCustomer[]> {
  const found = await db.many<PublicationToCustomer & { place: number }>(sql`
    select given.* from unnest(${customer_ids}::text[]) as asked (customer_id),
      lateral (
        select publications.customer_id, publications.created_at,
               coalesce(publications.voucher_id, publication_vouchers.voucher_id) as related_object_id,
               row_number() over () as place
          from publications
          left join publication_vouchers
            on publication_vouchers.project_id = publications.project_id
           and publication_vouchers.publication_id = publications.id
         where publications.project_id = ${project_id} and publications.customer_id = asked.customer_id
           and publications.result = 'SUCCESS'
         limit ${publications_max + 1}
      ) as given`);
  const over = found.find(({ place }) => place > publications_max);
  if (over) {
    const told = `The customer ${over.customer_id} has more than ${publications_max} publications, too many for a segment to look at`;
    throw refusals.tooMuchToLookAt(told);
  }
  return found.map(({ place: _, ...publication }) => publication);
}

/** A tier that a customer is in, as filters look at it. */
export interface TierOfCustomer {
  customer_id: string;
  id: string;
  name: string;
  campaign_id: string;
  /** The name of its program. */
  campaign: string;
  metadata: Record<string, unknown>;
  /** Days of the project; the last one is left out where the tier follows the balance. */
  start_date: string;
  expiration_date: string | null;
}

/** Of one customer, that a filter is shown. */
const tiers_max = 1_000;

/** The tiers that customers are in by the cards they hold; one that has yet to begin is none. */
export async function findTiersOfCustomers(
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
): Promise<TierOfCustomer[]> {
  const found = await db.many<TierOfCustomer & { place: number }>(sql`
    select held.* from unnest(${customer_ids}::text[]) as asked (customer_id),
      lateral (
        select vouchers.holder_id as customer_id, loyalty_tiers.id, loyalty_tiers.name, loyalty_tiers.metadata,
               campaigns.id as campaign_id, campaigns.name as campaign, loyalty_tier_members.start_date,
               loyalty_tier_members.expiration_date, row_number() over () as place
          from vouchers
          join loyalty_tier_members on loyalty_tier_members.project_id = vouchers.project_id
                                   and loyalty_tier_members.voucher_id = vouchers.id
          join loyalty_tiers on loyalty_tiers.project_id = loyalty_tier_members.project_id
                            and loyalty_tiers.id = loyalty_tier_members.tier_id
          join campaigns on campaigns.project_id = loyalty_tiers.project_id and campaigns.id = loyalty_tiers.campaign_id
         where vouchers.project_id = ${project_id} and vouchers.holder_id = asked.customer_id
           and vouchers.deleted_at is null
         limit ${tiers_max + 1}
      ) as held`);
  const over = found.find(({ place }) => place > tiers_max);
  if (over) {
    const told = `The customer ${over.customer_id} is in more than ${tiers_max} loyalty tiers, too many for a segment to look at`;
    throw refusals.tooMuchToLookAt(told);
  }
  return found.map(({ place: _, ...tier }) => tier);
}
