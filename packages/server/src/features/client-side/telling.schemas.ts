import Type, { type Static } from "typebox";
import { named, text } from "../../platform/http/schema.js";
import { PublicationCreate, PublicationOptions } from "../publications/index.js";

const campaign_name = () => text({ minLength: 1, description: "Name or id of the campaign." });

/** Body of `POST /client/v1/publish`: as on the server side, or with the campaign's name alone. */
export const PagePublication = named(
  "PagePublication",
  Type.Object({
    ...PublicationCreate.properties,
    campaign: Type.Optional(Type.Union([PublicationCreate.properties.campaign, campaign_name()])),
  }),
);
export type PagePublication = Static<typeof PagePublication>;

/** Its query; the older client names the campaign here. */
export const PagePublicationQuery = Type.Object({
  ...PublicationOptions.properties,
  campaign: Type.Optional(campaign_name()),
});
export type PagePublicationQuery = Static<typeof PagePublicationQuery>;
