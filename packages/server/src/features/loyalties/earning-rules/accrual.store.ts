import type { EventSource, StoredEvent } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/database.js";
import { column, sql } from "../../../platform/sql.js";
import type { Campaign } from "../../campaigns/index.js";
import type { CustomEventData } from "../../custom-events/index.js";
import type { EarningRule } from "./earning-rule.js";
import { earning_rule_fields } from "./earning-rule.store.js";

/** An event that may earn points. Its data is null where the event went with its customer. */
export interface EarningTask {
  project_id: string;
  event_id: string;
  customer_id: string | null;
  /** The request that caused it. */
  group_id: string | null;
  event_source: EventSource | null;
  data: CustomEventData | null;
  created_at: number;
}

/** Notes which events may earn points; one that is noted already stays as it is. */
export const insertTasks = (tx: Tx, events: readonly StoredEvent[]) =>
  tx.run(sql`-- every project: the dispatcher serves them all; each row brings its project_id
    insert into earning_tasks (project_id, event_id, created_at)
    select * from unnest(${column(events, "project_id")}::text[], ${column(events, "id")}::text[],
                         ${events.map(({ created_at }) => isoOf(created_at))}::timestamptz[])
    on conflict (project_id, event_id) do nothing`);

interface Taking {
  tasks_max: number;
  /** Events to leave where they are. */
  except: readonly string[];
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

/** Takes tasks with their events, passing over what another worker holds. They are there again should it die. */
export const takeTasks = (tx: Tx, { tasks_max, except, project_ids }: Taking) =>
  tx.many<EarningTask>(sql`-- every project: the worker serves them all
    with taken as (
      select earning_tasks.project_id, earning_tasks.event_id, earning_tasks.created_at from earning_tasks
       where earning_tasks.event_id <> all(${except}::text[])
         and (${project_ids}::text[] is null or earning_tasks.project_id = any(${project_ids}::text[]))
       limit ${tasks_max}
         for update skip locked
    )
    select taken.project_id, taken.event_id, taken.created_at, events.customer_id, events.group_id, events.event_source,
           events.data
      from taken
      left join events on events.project_id = taken.project_id and events.created_at = taken.created_at
                      and events.id = taken.event_id
     order by taken.created_at, taken.event_id`);

/** Answers how many there were. */
export const deleteTasks = (tx: Tx, tasks: readonly EarningTask[]) =>
  tx.run(sql`-- every project: the worker serves them all; each row brings its project_id
    delete from earning_tasks using unnest(${column(tasks, "project_id")}::text[],
                                           ${column(tasks, "event_id")}::text[]) as done (project_id, event_id)
     where earning_tasks.project_id = done.project_id and earning_tasks.event_id = done.event_id`);

/** A rule with what its campaign says of it. */
export interface ProgramRule extends EarningRule {
  campaign: Pick<Campaign, "id" | "active" | "auto_join" | "start_date" | "expiration_date">;
}

/** Rules of live campaigns that custom events of these names set off, the oldest first (loyalty.md §4.4). */
export async function findRulesOfEvents(
  db: Queries,
  project_id: string,
  events: readonly string[],
): Promise<ProgramRule[]> {
  const rows = await db.many<
    EarningRule & {
      campaign_active: boolean;
      campaign_auto_join: boolean;
      campaign_start_date: number | null;
      campaign_expiration_date: number | null;
    }
  >(sql`
    select ${earning_rule_fields}, campaigns.active as campaign_active, campaigns.auto_join as campaign_auto_join,
           campaigns.start_date as campaign_start_date, campaigns.expiration_date as campaign_expiration_date
      from earning_rules
      join campaigns on campaigns.project_id = earning_rules.project_id and campaigns.id = earning_rules.campaign_id
     where earning_rules.project_id = ${project_id}
       and earning_rules.event = any(${events}::text[])
       and earning_rules.custom_event_schema_id is not null
       and earning_rules.active
       and campaigns.deleted_at is null
     order by earning_rules.created_at, earning_rules.id`);
  return rows.map((row) => {
    const { campaign_active, campaign_auto_join, campaign_start_date, campaign_expiration_date, ...rule } = row;
    return {
      ...rule,
      campaign: {
        id: rule.campaign_id,
        active: campaign_active,
        auto_join: campaign_auto_join,
        start_date: campaign_start_date,
        expiration_date: campaign_expiration_date,
      },
    };
  });
}

/** A card, as far as finding it goes. */
export interface FoundCard {
  id: string;
  code_key: string;
  campaign_id: string;
  holder_id: string;
}

/** The cards that customers hold in campaigns, and the cards with these codes; all of them with a holder. */
export const findCards = (
  db: Queries,
  project_id: string,
  wanted: { customer_ids: readonly string[]; campaign_ids: readonly string[]; code_keys: readonly string[] },
) =>
  db.many<FoundCard>(sql`
    select vouchers.id, vouchers.code_key, vouchers.campaign_id, vouchers.holder_id from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.holder_id = any(${wanted.customer_ids}::text[])
       and vouchers.campaign_id = any(${wanted.campaign_ids}::text[])
       and vouchers.type = 'LOYALTY_CARD'
       and vouchers.deleted_at is null
    union
    select vouchers.id, vouchers.code_key, vouchers.campaign_id, vouchers.holder_id from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.code_key = any(${wanted.code_keys}::text[])
       and vouchers.type = 'LOYALTY_CARD'
       and vouchers.holder_id is not null
       and vouchers.deleted_at is null`);
