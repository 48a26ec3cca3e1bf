import Type, { type Static } from "typebox";
import { longText, named, nullable, text } from "../../../platform/http/schema.js";
import { ProjectParams } from "../../projects/index.js";

export const TemplateCopy = named(
  "CampaignTemplateCopy",
  Type.Object({
    destination_project_id: text({ minLength: 1 }),
    name: text({ minLength: 1, description: "Unique in the project that it is copied to." }),
    description: Type.Optional(nullable(longText({ description: "The original's where it is left out." }))),
  }),
);
export type TemplateCopy = Static<typeof TemplateCopy>;

export const ManagedTemplateParams = Type.Object({ ...ProjectParams.properties, campaignTemplateId: text() });
