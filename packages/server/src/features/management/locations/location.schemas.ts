import Type, { type Static } from "typebox";
import { named, text } from "../../../platform/http/schema.js";
import { LocationShape } from "../../locations/index.js";
import { ProjectParams } from "../../projects/index.js";

export const LocationCreate = named(
  "LocationCreate",
  Type.Object({ name: text({ minLength: 1 }), shape: LocationShape }),
);
export type LocationCreate = Static<typeof LocationCreate>;

export const LocationUpdate = named(
  "LocationUpdate",
  Type.Object({ name: Type.Optional(text({ minLength: 1 })), shape: Type.Optional(LocationShape) }),
);
export type LocationUpdate = Static<typeof LocationUpdate>;

export const LocationParams = Type.Object({ ...ProjectParams.properties, locationId: text() });
