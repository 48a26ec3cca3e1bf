import Type, { type Static } from "typebox";
import {
  dateTime,
  filtersQuery,
  integer,
  longText,
  named,
  nullable,
  oneOf,
  text,
  to_follow,
} from "../../platform/http/schema.js";
import { template_filter_fields } from "./template.filters.js";
import { template_types } from "./template.js";

const name = () => text({ minLength: 1, description: "Unique in the project." });
const description = () => Type.Optional(nullable(longText()));

/** Of a campaign, or of a promotion tier: one of the two. */
export const TemplateCreate = named(
  "CampaignTemplateCreate",
  Type.Object({
    campaign_id: Type.Optional(nullable(text())),
    promotion_tier_id: Type.Optional(nullable(text())),
    name: name(),
    description: description(),
  }),
);
export type TemplateCreate = Static<typeof TemplateCreate>;

/** What is left out stays; null takes the description away. */
export const TemplateUpdate = named(
  "CampaignTemplateUpdate",
  Type.Object({ name: Type.Optional(name()), description: description() }),
);
export type TemplateUpdate = Static<typeof TemplateUpdate>;

const shown = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  campaign_type: oneOf(template_types),
  created_at: dateTime(),
  updated_at: Type.Optional(dateTime()),
  object: Type.Literal("campaign_template"),
};

export const TemplateBody = named("CampaignTemplate", Type.Object(shown));
export type TemplateBody = Static<typeof TemplateBody>;

const open = () => Type.Record(Type.String(), Type.Unknown());

export const TemplateWhole = named(
  "CampaignTemplateWhole",
  Type.Object({
    ...shown,
    json_template: Type.Optional(
      Type.Object(
        {
          campaign_type: oneOf(template_types),
          campaign: open(),
          validation_rule: nullable(open()),
          validation_rules: Type.Optional(Type.Array(open(), { description: "All, where there are several." })),
        },
        { description: "What it holds; shown where it is asked for by `expand`." },
      ),
    ),
  }),
);
export type TemplateWhole = Static<typeof TemplateWhole>;

export const TemplateList = named(
  "CampaignTemplateList",
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal("data"),
    data: Type.Array(TemplateBody),
    total: Type.Optional(integer({ minimum: 0, description: "Matches before paging, where it is asked for." })),
    ...to_follow,
  }),
);
export type TemplateList = Static<typeof TemplateList>;

export const TemplateQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(oneOf(["id", "-id"] as const, { description: "Newest first unless given." })),
  starting_after_id: Type.Optional(text({ description: "Only what comes after this one in the order asked for." })),
  include_total: Type.Optional(Type.Boolean()),
  filters: filtersQuery(template_filter_fields),
});
export type TemplateQuery = Static<typeof TemplateQuery>;

export const ExpandQuery = Type.Object({ expand: Type.Optional(oneOf(["json_template"])) });

export const TemplateParams = Type.Object({ campaignTemplateId: text() });
