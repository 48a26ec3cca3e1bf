import Type, { type Static } from "typebox";
import { integer, named, nullable, oneOf } from "../../platform/http/schema.js";

export const statuses = ["none", "making", "ready", "failed"] as const;

export const SampleShopBody = named(
  "SampleShop",
  Type.Object({
    object: Type.Literal("sample_shop"),
    status: oneOf(statuses, { description: "`none`: nobody has asked for one, or it was taken away." }),
    project_id: nullable(Type.String({ description: "The project that it is." })),
    progress: integer({ minimum: 0, maximum: 100, description: "How much of its past is there, in percent." }),
  }),
);
export type SampleShopBody = Static<typeof SampleShopBody>;
