import { factsToldAs } from "../../../events/index.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { bool, fieldsBut, insertInto, json, sets, table, text, timestamptz } from "../../../platform/db/table.js";
import { type Automation, type StoredAutomation, triggers } from "./automation.js";

const automations = table<Automation>("automations", {
  id: text,
  name: text,
  active: bool,
  active_since: timestamptz,
  event: text,
  segment_id: text,
  custom_event: text,
  campaign_id: text,
  validation_rule_id: text,
  published_campaign_id: text,
  message: json,
  created_at: timestamptz,
  updated_at: timestamptz,
});

/** An address that was switched off, since a message could not be delivered, switches off what sends to it. */
const is_on: Sql = sql`automations.active and coalesce(webhooks.active, true)`;
const stored: Sql = sql`
  select ${fieldsBut(automations, ["active"])}, ${is_on} as active, webhooks.target_url, webhooks.headers_sealed
    from automations
    left join webhooks on webhooks.project_id = automations.project_id and webhooks.id = automations.id`;

export const findAutomation = (db: Queries, project_id: string, id: string) =>
  db.maybe<StoredAutomation>(sql`
    ${stored} where automations.project_id = ${project_id} and automations.id = ${id}`);

/** Locks the row, so that of two edits at once the later one is made of what the earlier one left. */
export const lockAutomation = (tx: Tx, project_id: string, id: string) =>
  tx.maybe<StoredAutomation>(sql`
    ${stored} where automations.project_id = ${project_id} and automations.id = ${id} for update of automations`);

/** In the order in which they were made. */
export const listAutomations = (db: Queries, project_id: string) =>
  db.many<StoredAutomation>(sql`
    ${stored} where automations.project_id = ${project_id} order by automations.created_at, automations.id`);

/** Those that are on and wait for any of these events, in the order in which they were made. */
export const findAutomationsOf = (db: Queries, project_id: string, events: readonly string[]) =>
  db.many<StoredAutomation>(sql`
    ${stored}
     where automations.project_id = ${project_id} and automations.event = any(${events}::text[]) and ${is_on}
     order by automations.created_at, automations.id`);

/** Those that wait for somebody to enter or leave the segment. */
export const findAutomationIdsOfSegment = async (db: Queries, project_id: string, segment_id: string) =>
  (
    await db.many<{ id: string }>(sql`
      select automations.id from automations
       where automations.project_id = ${project_id} and automations.segment_id = ${segment_id}
       order by automations.created_at, automations.id`)
  ).map(({ id }) => id);

const told = triggers.flatMap((name) => factsToldAs([name]).map((fact) => ({ fact, name })));

/** Whether the project of an outbox's row `gone` has an automation that waits for it under one of its names. */
export const has_automations: Sql = sql`
  exists (select from automations
            join unnest(${told.map(({ fact }) => fact)}::text[], ${told.map(({ name }) => name)}::text[]) as told (fact, name)
              on told.name = automations.event
           where automations.project_id = gone.project_id and automations.active and told.fact = gone.type)`;

/** Answers how many rows were written: none where the name is taken. */
export const insertAutomation = (tx: Tx, project_id: string, automation: Automation) =>
  tx.run(sql`${insertInto(automations, project_id, [automation])} on conflict (project_id, name) do nothing`);

/** Answers how many rows were written: none where another has the name. Runs under the project's key. */
export const updateAutomation = (tx: Tx, project_id: string, automation: Automation) =>
  tx.run(sql`
    update automations
       set ${sets(automations, automation, [
         ...(["name", "active", "active_since", "event", "segment_id", "custom_event", "campaign_id"] as const),
         ...(["validation_rule_id", "published_campaign_id", "message", "updated_at"] as const),
       ])}
     where automations.project_id = ${project_id} and automations.id = ${automation.id}
       and not exists (select from automations as other
                        where other.project_id = ${project_id} and other.name = ${automation.name} and other.id <> ${automation.id})`);

/** Answers how many there were. */
export const deleteAutomation = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from automations where automations.project_id = ${project_id} and automations.id = ${id}`);
