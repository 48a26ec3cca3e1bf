export { type LocationRow, locationsNamedIn } from "./location.js";
export { locationRoutes as routes } from "./location.routes.js";
export { LocationBody, LocationShape } from "./location.schemas.js";
export { knownLocation, toLocationBody } from "./location.service.js";
export { locationsOf, readLocationsNamed, shelves } from "./location.shelf.js";
export { deleteLocation, findLocation, findLocationsByIds, updateLocation } from "./location.store.js";
export { assertRoom, assertShape, makeLocation } from "./making.js";
