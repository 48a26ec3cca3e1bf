import { call_counters, callLimitOf } from "../../platform/call-limits.js";
import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { hashOfSecret, newCredentialId, newSecret } from "../../platform/secrets.js";
import { isEmail } from "../../platform/sign-in.js";
import { change, type Requested } from "../../recording/index.js";
import { assertCurrency } from "./currencies.js";
import { addFirstMembers, readFirstMembers } from "./first-members.js";
import { type ApiKey, client_switches, type KeyKind, type Project, type UsageNotification } from "./project.js";
import {
  emails_max,
  notices,
  type ProjectBody,
  type ProjectCreate,
  type ProjectCreated,
  type ProjectLimits,
  type ProjectUpdate,
} from "./project.schemas.js";
import {
  findProject,
  findProjectForUpdate,
  insertApiKeys,
  insertProject,
  listProjects,
  markDeleted,
  putWebhookToken,
  updateProject,
} from "./project.store.js";
import { addOwners, listOwnerEmails } from "./user.store.js";

/** A key pair in clear: shown once, when it is made. */
export interface NewKeyPair {
  app_id: string;
  app_token: string;
}

interface NewProject {
  fields: ProjectCreate;
  is_sandbox: boolean;
  id?: string;
  server_key?: Partial<NewKeyPair>;
  client_key?: Partial<NewKeyPair>;
}

/** Makes a project with its two key pairs, inside the caller's transaction. */
export async function makeProject(tx: Tx, context: Context, made: NewProject, now: Instant) {
  const project = newProject(context, made, await listOwnerEmails(tx, emails_max), now);
  const server_side_key = keyPair(made.server_key);
  const client_side_key = keyPair(made.client_key);
  await insertProject(tx, project);
  await addOwners(tx, project.id, now);
  await insertApiKeys(
    tx,
    project.id,
    [storedKey("server", server_side_key), storedKey("client", client_side_key)],
    now,
  );
  return { project, server_side_key, client_side_key };
}

/** @param cause of a project that is not there yet, under the id that it shall have */
export async function createProject(context: Context, cause: Requested, asked: ProjectCreate): Promise<ProjectCreated> {
  assertTimeZone(asked.timezone);
  assertCurrency(asked.currency);
  const fields = { ...asked, ...noticesIn(asked) } as ProjectCreate;
  if (fields.cluster_id && fields.cluster_id !== context.config.cluster_id) {
    throw problems.forbidden("Project is bound to different region");
  }
  const wanted = { id: cause.project_id, fields, is_sandbox: false };
  const members = readFirstMembers(fields);
  return change(context, cause, async ({ tx }) => {
    const { project, server_side_key, client_side_key } = await makeProject(tx, context, wanted, cause.instant);
    await addFirstMembers(tx, project.id, members, cause.instant);
    return { ...toProject(context, project), server_side_key, client_side_key };
  });
}

export async function readProject(context: Context, id: string): Promise<ProjectBody> {
  return toProject(context, await knownProject(context.db, id));
}

/** The project with this id; an unknown one is the caller's mistake. */
export async function knownProject(db: Queries, id: string): Promise<Project> {
  const project = await findProject(db, id);
  if (!project) throw problems.notFound("project", id);
  return project;
}

export async function readProjects(context: Context): Promise<ProjectBody[]> {
  return (await listProjects(context.db)).map((project) => toProject(context, project));
}

export function changeProject(context: Context, cause: Requested, update: ProjectUpdate): Promise<ProjectBody> {
  assertTimeZone(update.timezone);
  assertCurrency(update.currency);
  const changed = { ...update, ...noticesIn(update) };
  return edit(context, cause, (stored) => merged(stored, changed));
}

/** Null: the organization's limits apply. */
export function changeLimits(context: Context, cause: Requested, limits: ProjectLimits | null): Promise<ProjectBody> {
  if (limits) assertPeriods(limits);
  return edit(context, cause, (stored) => ({ ...stored, limits }));
}

function edit(context: Context, cause: Requested, edited: (stored: Project) => Project): Promise<ProjectBody> {
  const { project_id: id, instant: updated_at } = cause;
  return change(context, cause, async (change) => {
    const stored = await findProjectForUpdate(change.tx, id);
    if (!stored) throw problems.notFound("project", id);
    const project = { ...edited(stored), updated_at };
    await updateProject(change.tx, project);
    change.edited({ kind: "project", id });
    return toProject(context, project);
  });
}

type Notices = Pick<ProjectUpdate, keyof typeof notices>;

/**
 * The notices that there are: others are ignored, like every field that nobody knows.
 * @throws a refusal where whoever is to be told by mail has no address
 */
function noticesIn(fields: Notices): Notices {
  const told: Record<string, Record<string, unknown>> = {};
  for (const [name, known] of Object.entries(notices)) {
    const given = fields[name as keyof Notices] as Record<string, { emails: string[] }> | undefined;
    if (!given) continue;
    told[name] = {};
    for (const of of Object.keys(known)) {
      const notice = given[of];
      if (!notice) continue;
      const wrong = notice.emails.findIndex((email) => !isEmail(email));
      if (wrong >= 0)
        throw problems.invalidPayload(`Property .${name}.${of}.emails[${wrong}] must be an e-mail address`);
      told[name][of] = notice;
    }
  }
  return told as Notices;
}

function assertPeriods(limits: ProjectLimits): void {
  for (const counter of call_counters) {
    const wrong = (limits[counter] ?? []).findIndex((limit) => callLimitOf(limit) === null);
    if (wrong >= 0)
      throw problems.invalidPayload(
        `Property .${counter}[${wrong}].duration must be an ISO 8601 duration of months alone, or of days and what is shorter`,
      );
  }
}

/** The old secret signs nothing more from the next try on, of messages that wait too (events-and-webhooks.md §2). */
export const renewWebhookToken = (context: Context, cause: Requested): Promise<Pick<ProjectBody, "webhook_token">> =>
  change(context, cause, async ({ tx, edited }) => {
    const { project_id: id, instant } = cause;
    const webhook_token = newSecret();
    if (!(await putWebhookToken(tx, id, context.seal.seal(webhook_token), instant)))
      throw problems.notFound("project", id);
    edited({ kind: "project", id });
    return { webhook_token };
  });

export async function removeProject(context: Context, cause: Requested): Promise<void> {
  const { project_id: id } = cause;
  await change(context, cause, async ({ tx }) => {
    const stored = await findProjectForUpdate(tx, id);
    if (!stored) throw problems.notFound("project", id);
    if (stored.is_sandbox) throw problems.forbidden("Sandbox project cannot be deleted");
    await markDeleted(tx, id, cause.instant);
  });
}

function newProject(
  { config, seal }: Context,
  { fields, is_sandbox, id }: NewProject,
  owner_emails: string[],
  now: Instant,
): Project {
  return {
    id: id ?? newId("proj"),
    name: fields.name,
    description: fields.description ?? "",
    timezone: fields.timezone ?? "UTC",
    currency: fields.currency ?? "USD",
    dial_code: fields.dial_code ?? null,
    webhook_version: "v2024-01-01",
    api_version: "v2018-08-01",
    cluster_id: config.cluster_id,
    case_sensitive_codes: fields.case_sensitive_codes ?? true,
    is_sandbox,
    client_trusted_domains: fields.client_trusted_domains ?? [],
    neutralise_export_formulas: fields.neutralise_export_formulas ?? false,
    request_log_enabled: fields.request_log_enabled ?? false,
    ...(Object.fromEntries(client_switches.map((name) => [name, fields[name] ?? false])) as Record<
      (typeof client_switches)[number],
      boolean
    >),
    webhooks_callout_notifications: fields.webhooks_callout_notifications ?? {
      webhooks: { email: true, emails: [], in_app: true },
      distributions: { email: true, emails: [], in_app: true },
    },
    api_usage_notifications: { ...usageToldTo(owner_emails), ...fields.api_usage_notifications },
    default_code_config: null,
    limits: null,
    webhook_token_sealed: seal.seal(newSecret()),
    created_at: now,
    updated_at: null,
  };
}

/** Owners hear of it unless somebody says otherwise (platform.md §7.1). */
function usageToldTo(emails: string[]): Record<string, UsageNotification> {
  const on = { value: 80, emails, in_app: true, enabled: true };
  return {
    ...{ messages: on, api_calls: on, bulk_api_calls: on, webhook_calls: on, cycle_calls: on },
    redemptions: { value: 80, emails: [], in_app: false, enabled: false },
  };
}

/** Only what was sent changes; notification objects merge counter by counter (platform.md §7.1). */
function merged(stored: Project, change: ProjectUpdate): Project {
  const { webhooks_callout_notifications, api_usage_notifications, default_code_config, ...plain } = change;
  const editable = [
    "name",
    "description",
    "timezone",
    "currency",
    "dial_code",
    "webhook_version",
    "client_trusted_domains",
    "neutralise_export_formulas",
    "request_log_enabled",
    ...client_switches,
  ] as const;
  const sent = Object.fromEntries(
    editable.filter((name) => plain[name] !== undefined).map((name) => [name, plain[name]]),
  );
  const charset = default_code_config?.charset;
  return {
    ...stored,
    ...sent,
    webhooks_callout_notifications: { ...stored.webhooks_callout_notifications, ...webhooks_callout_notifications },
    api_usage_notifications: { ...stored.api_usage_notifications, ...api_usage_notifications },
    default_code_config: default_code_config === undefined ? stored.default_code_config : charset ? { charset } : null,
  };
}

function toProject({ seal }: Context, project: Project): ProjectBody {
  const { webhook_token_sealed, created_at, updated_at, default_code_config, limits, ...shown } = project;
  return {
    ...(shown as Omit<ProjectBody, "webhook_token">),
    webhook_token: seal.open(webhook_token_sealed),
    ...(default_code_config ? { default_code_config } : {}),
    ...(limits ? { limits } : {}),
  };
}

function keyPair(given: Partial<NewKeyPair> = {}): NewKeyPair {
  return { app_id: given.app_id ?? newCredentialId(), app_token: given.app_token ?? newSecret() };
}

function storedKey(kind: KeyKind, { app_id, app_token }: NewKeyPair): ApiKey {
  const name = kind === "server" ? "Server-side key" : "Client-side key";
  const token_hash = hashOfSecret(app_token);
  const rights = { role: "ADMIN", blocked: false, is_integration: false, allowed_addresses: [] };
  return { id: app_id, kind, name, token_hash, ...rights };
}

function assertTimeZone(timezone: string | undefined): void {
  if (timezone === undefined) return;
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw problems.invalidPayload("Property .timezone must be an IANA time zone name");
  }
}
