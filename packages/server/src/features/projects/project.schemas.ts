import Type, { type Static } from "typebox";
import { integer, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { client_switches } from "./project.js";
import { user_roles } from "./user.js";

/** Addresses that one notice is sent to. */
export const emails_max = 100;

const emails = (description?: string) =>
  Type.Array(text(), { maxItems: emails_max, ...(description === undefined ? {} : { description }) });
const Callout = named(
  "CalloutNotifications",
  Type.Object({
    email: Type.Boolean({ description: "Whether to tell by mail when one is switched off." }),
    emails: emails("Whom to tell; where nobody is named, the project's administrators."),
    in_app: Type.Boolean(),
  }),
);
const Usage = named(
  "UsageNotification",
  Type.Object({
    value: integer({ minimum: 10, maximum: 90, description: "Percent of the limit at which to tell." }),
    emails: emails(),
    in_app: Type.Boolean(),
    enabled: Type.Boolean(),
  }),
);
const callouts = { webhooks: Callout, distributions: Callout };
const writable_counters = {
  messages: Usage,
  api_calls: Usage,
  bulk_api_calls: Usage,
  webhook_calls: Usage,
  cycle_calls: Usage,
};
/** What somebody may be told of. */
export const notices = { webhooks_callout_notifications: callouts, api_usage_notifications: writable_counters };
const switches = Object.fromEntries(client_switches.map((name) => [name, Type.Boolean()])) as Record<
  (typeof client_switches)[number],
  ReturnType<typeof Type.Boolean>
>;

const editable = {
  name: text({ minLength: 1 }),
  description: Type.String({ maxLength: 4096 }),
  timezone: text({ description: "IANA name, or a GMT form such as Etc/GMT+1." }),
  currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217." }),
  dial_code: nullable(text({ maxLength: 16 })),
  webhook_version: oneOf(["v2024-01-01"]),
  client_trusted_domains: Type.Array(text({ maxLength: 2048 }), { maxItems: 100 }),
  neutralise_export_formulas: Type.Boolean({
    description:
      "Whether texts in exports that a spreadsheet would take for formulas get an apostrophe before them; off unless set. Numbers are left alone.",
  }),
  request_log_enabled: Type.Boolean({
    description:
      "Whether what callers send and are answered is kept for thirty days; off unless set: it holds what they say of customers.",
  }),
  ...switches,
};

/** Somebody of the organization, by one of the two names. */
const FirstMember = named(
  "FirstMember",
  Type.Object({
    id: Type.Optional(text()),
    login: Type.Optional(text()),
    role: text({ description: `One of ${user_roles.join(", ")}.` }),
  }),
);

export const ProjectCreate = named(
  "ProjectCreate",
  Type.Object({
    ...Type.Partial(Type.Object(editable)).properties,
    name: editable.name,
    api_version: Type.Optional(oneOf(["v2018-08-01"])),
    cluster_id: Type.Optional(text()),
    case_sensitive_codes: Type.Optional(Type.Boolean()),
    webhooks_callout_notifications: Type.Optional(Type.Object(callouts)),
    api_usage_notifications: Type.Optional(Type.Object(writable_counters)),
    users: Type.Optional(
      Type.Array(FirstMember, {
        maxItems: 100,
        description: "Who is in it from its beginning, beside the owners of the organization.",
      }),
    ),
  }),
);
export type ProjectCreate = Static<typeof ProjectCreate>;

export const ProjectUpdate = named(
  "ProjectUpdate",
  Type.Partial(
    Type.Object({
      ...editable,
      webhooks_callout_notifications: Type.Partial(Type.Object(callouts)),
      api_usage_notifications: Type.Partial(Type.Object(writable_counters)),
      default_code_config: nullable(Type.Object({ charset: nullable(text({ minLength: 1 })) })),
    }),
  ),
);
export type ProjectUpdate = Static<typeof ProjectUpdate>;

const shown = {
  id: Type.String(),
  ...editable,
  description: Type.String(),
  api_version: oneOf(["v2018-08-01"]),
  cluster_id: Type.String(),
  case_sensitive_codes: Type.Boolean(),
  is_sandbox: Type.Boolean(),
  webhook_token: Type.String({ description: "Signs webhooks." }),
  webhooks_callout_notifications: Type.Object(callouts),
  api_usage_notifications: Type.Object({ ...writable_counters, redemptions: Usage }),
};

export const ProjectBody = named(
  "Project",
  Type.Object({
    ...shown,
    default_code_config: Type.Optional(Type.Object({ charset: Type.String() })),
    limits: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
);
export type ProjectBody = Static<typeof ProjectBody>;

const CallLimit = named(
  "CallLimit",
  Type.Object({
    value: integer({ minimum: 1, description: "Calls in each period." }),
    duration: text({ description: "ISO 8601: months alone, or days and what is shorter, as in PT1M, P1D and P1M." }),
  }),
);
const CallLimitsOf = () => Type.Optional(Type.Array(CallLimit, { maxItems: 10 }));

/** What `PUT /management/v1/projects/:projectId/limits` sets, all of it: a counter that is not sent has no limit. */
export const ProjectLimits = named(
  "ProjectLimits",
  Type.Object({ api_calls: CallLimitsOf(), bulk_api_calls: CallLimitsOf(), webhook_calls: CallLimitsOf() }),
);
export type ProjectLimits = Static<typeof ProjectLimits>;

const KeyPair = named("KeyPair", Type.Object({ app_id: Type.String(), app_token: Type.String() }));
export const ProjectCreated = named(
  "ProjectCreated",
  Type.Object({ ...shown, server_side_key: KeyPair, client_side_key: KeyPair }),
);
export type ProjectCreated = Static<typeof ProjectCreated>;

export const ProjectList = named(
  "ProjectList",
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal("data"),
    data: Type.Array(ProjectBody),
    total: integer({ minimum: 0 }),
  }),
);

export const ProjectParams = Type.Object({ projectId: text() });
