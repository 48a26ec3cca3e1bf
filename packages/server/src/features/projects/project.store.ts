import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { jsonOf, sql } from "../../platform/db/sql.js";
import { isAmong } from "../../platform/jobs/served.js";
import { deleteVersion, insertVersion } from "../../recording/index.js";
import type { ApiKey, Project } from "./project.js";

const fields = sql`
  projects.id, projects.name, projects.description, projects.timezone, projects.currency, projects.dial_code,
  projects.webhook_version, projects.api_version, projects.cluster_id, projects.case_sensitive_codes,
  projects.is_sandbox, projects.client_trusted_domains, projects.client_redeem_enabled,
  projects.client_publish_enabled, projects.client_list_vouchers_enabled, projects.client_create_customer_enabled,
  projects.client_loyalty_events_enabled, projects.client_set_voucher_expiration_date_enabled,
  projects.neutralise_export_formulas, projects.request_log_enabled, projects.webhooks_callout_notifications, projects.api_usage_notifications, projects.default_code_config,
  projects.limits, projects.webhook_token_sealed, projects.created_at, projects.updated_at`;

export const listProjects = (db: Queries) =>
  db.many<Project>(sql`-- every project: the organization owns them all
    select ${fields} from projects where projects.deleted_at is null order by projects.created_at, projects.id`);

export const findProject = (db: Queries, project_id: string) =>
  db.maybe<Project>(sql`
    select ${fields} from projects where projects.id = ${project_id} and projects.deleted_at is null`);

/** Locks the row, so that two updates of one project merge one after the other. */
export const findProjectForUpdate = (tx: Tx, project_id: string) =>
  tx.maybe<Project>(sql`
    select ${fields} from projects where projects.id = ${project_id} and projects.deleted_at is null for update`);

export async function insertProject(tx: Tx, project: Project): Promise<void> {
  await tx.run(sql`
    insert into projects (id, name, description, timezone, currency, dial_code, webhook_version, api_version, cluster_id,
      case_sensitive_codes, is_sandbox, client_trusted_domains, client_redeem_enabled, client_publish_enabled,
      client_list_vouchers_enabled, client_create_customer_enabled, client_loyalty_events_enabled,
      client_set_voucher_expiration_date_enabled, neutralise_export_formulas, request_log_enabled, webhooks_callout_notifications,
      api_usage_notifications,
      default_code_config, limits, webhook_token_sealed, created_at)
    values (${project.id}, ${project.name}, ${project.description}, ${project.timezone}, ${project.currency},
      ${project.dial_code}, ${project.webhook_version}, ${project.api_version}, ${project.cluster_id},
      ${project.case_sensitive_codes}, ${project.is_sandbox}, ${project.client_trusted_domains},
      ${project.client_redeem_enabled}, ${project.client_publish_enabled}, ${project.client_list_vouchers_enabled},
      ${project.client_create_customer_enabled}, ${project.client_loyalty_events_enabled},
      ${project.client_set_voucher_expiration_date_enabled}, ${project.neutralise_export_formulas}, ${project.request_log_enabled}, ${jsonOf(project.webhooks_callout_notifications)},
      ${jsonOf(project.api_usage_notifications)}, ${jsonOf(project.default_code_config)}, ${jsonOf(project.limits)},
      ${project.webhook_token_sealed}, ${isoOf(project.created_at)})`);
  await insertVersion(tx, project.id);
}

export async function updateProject(tx: Tx, project: Project): Promise<void> {
  await tx.run(sql`
    update projects
       set name = ${project.name}, description = ${project.description}, timezone = ${project.timezone},
           currency = ${project.currency}, dial_code = ${project.dial_code}, webhook_version = ${project.webhook_version},
           client_trusted_domains = ${project.client_trusted_domains},
           client_redeem_enabled = ${project.client_redeem_enabled},
           client_publish_enabled = ${project.client_publish_enabled},
           client_list_vouchers_enabled = ${project.client_list_vouchers_enabled},
           client_create_customer_enabled = ${project.client_create_customer_enabled},
           client_loyalty_events_enabled = ${project.client_loyalty_events_enabled},
           client_set_voucher_expiration_date_enabled = ${project.client_set_voucher_expiration_date_enabled},
           neutralise_export_formulas = ${project.neutralise_export_formulas},
           request_log_enabled = ${project.request_log_enabled},
           webhooks_callout_notifications = ${jsonOf(project.webhooks_callout_notifications)},
           api_usage_notifications = ${jsonOf(project.api_usage_notifications)},
           default_code_config = ${jsonOf(project.default_code_config)}, limits = ${jsonOf(project.limits)},
           updated_at = ${isoOf(project.updated_at)}
     where projects.id = ${project.id}`);
}

/** What signs the project's messages from now on; answers whether there is such a project. */
export async function putWebhookToken(tx: Tx, project_id: string, sealed: Buffer, now: Instant): Promise<boolean> {
  const put = await tx.maybe(sql`
    update projects set webhook_token_sealed = ${sealed}, updated_at = ${isoOf(now)}
     where projects.id = ${project_id} and projects.deleted_at is null
    returning projects.id`);
  return put !== undefined;
}

/** From now on nobody finds it: without a version of its catalogue its keys and tokens name no project. */
export async function markDeleted(tx: Tx, project_id: string, now: Instant): Promise<void> {
  await tx.run(sql`update projects set deleted_at = ${isoOf(now)} where projects.id = ${project_id}`);
  await deleteVersion(tx, project_id);
}

/** Two of those that were deleted first; what they have left may still be there. */
export const findDeletedProjects = (db: Queries, project_ids: readonly string[] | null) =>
  db.many<{ id: string; deleted_at: Instant }>(sql`-- every project: one job cleans up after them all
    select projects.id, projects.deleted_at from projects
     where projects.deleted_at is not null
       and ${isAmong(sql`projects.id`, project_ids)}
     order by projects.deleted_at limit 2`);

export const deleteProject = (db: Queries, project_id: string) =>
  db.run(sql`delete from projects where projects.id = ${project_id} and projects.deleted_at is not null`);

export async function insertApiKeys(tx: Tx, project_id: string, keys: readonly ApiKey[], now: Instant): Promise<void> {
  for (const key of keys) {
    await tx.run(sql`
      insert into api_keys (project_id, id, kind, name, role, token_hash, is_integration, allowed_addresses, created_at)
      values (${project_id}, ${key.id}, ${key.kind}, ${key.name}, ${key.role}, ${key.token_hash}, ${key.is_integration},
              ${jsonOf(key.allowed_addresses)}, ${isoOf(now)})`);
  }
}

export const listApiKeys = (db: Queries, project_id: string) =>
  db.many<ApiKey>(sql`
    select api_keys.id, api_keys.kind, api_keys.name, api_keys.role, api_keys.token_hash, api_keys.blocked,
           api_keys.is_integration, api_keys.allowed_addresses
      from api_keys
     where api_keys.project_id = ${project_id}`);

/** Which project each key belongs to, with the version its catalogue has now. */
export const findKeyOwners = (db: Queries, key_ids: readonly string[]) =>
  db.many<{
    key_id: string;
    project_id: string;
    version: number;
  }>(sql`-- every project: a key's id is what names the project
    select api_keys.id as key_id, api_keys.project_id, project_versions.version
      from api_keys
      join project_versions on project_versions.project_id = api_keys.project_id
     where api_keys.id = any(${key_ids}::text[])`);

/** The version that a project has now, and those of the keys that are its own. */
export const findVersionAndKeys = (db: Queries, project_id: string, key_ids: readonly string[]) =>
  db.one<{ version: number; key_ids: string[] }>(sql`
    select project_versions.version,
           array(select api_keys.id from api_keys
                  where api_keys.project_id = project_versions.project_id and api_keys.id = any(${key_ids}::text[])) as key_ids
      from project_versions
     where project_versions.project_id = ${project_id}`);

export const findManagementKey = (db: Queries, id: string) =>
  db.maybe<{ token_hash: Buffer }>(sql`-- every project: management keys belong to the installation
    select management_keys.token_hash from management_keys where management_keys.id = ${id}`);
