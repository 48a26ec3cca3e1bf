import Type, { type Static } from "typebox";
import { named, oneOf, text } from "../../../platform/http/schema.js";
import { purged_objects } from "../../async-actions/index.js";

export const PurgeParams = Type.Object({ relatedObject: oneOf(purged_objects) });

export const PurgeStart = named("MetadataKeyPurgeStart", Type.Object({ key: text({ minLength: 1 }) }));
export type PurgeStart = Static<typeof PurgeStart>;
