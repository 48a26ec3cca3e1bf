import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import type { VoucherCampaign } from "./voucher.js";

const campaign_fields = sql`
  campaigns.id, campaigns.name, campaigns.campaign_type, campaigns.type, campaigns.voucher, campaigns.category_id,
  campaigns.metadata, campaigns.use_voucher_metadata_schema, campaigns.start_date, campaigns.expiration_date,
  campaigns.validity_timeframe, campaigns.validity_day_of_week, campaigns.validity_hours`;

/** The campaign that a new voucher joins, by id or by name. */
export const findVoucherCampaign = (
  db: Queries,
  project_id: string,
  { id, name }: { id: string | null; name: string | null },
) =>
  db.maybe<VoucherCampaign>(sql`
    select ${campaign_fields} from campaigns
     where campaigns.project_id = ${project_id}
       and (campaigns.id = ${id}::text or campaigns.name = ${name}::text)
       and campaigns.deleted_at is null
     order by coalesce(campaigns.id = ${id}::text, false) desc
     limit 1`);

export const findCampaignNames = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<{ id: string; name: string }>(sql`
    select campaigns.id, campaigns.name from campaigns
     where campaigns.project_id = ${project_id} and campaigns.id = any(${ids}::text[])`);
