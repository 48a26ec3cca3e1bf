export { type LocationRow, locations_max, locationsNamedIn, shapes_bytes_max } from "./location.js";
export { locationRoutes as routes } from "./location.routes.js";
export { LocationBody, LocationShape } from "./location.schemas.js";
export { knownLocation, toLocationBody } from "./location.service.js";
export { locationsOf, readLocationsNamed, shelves } from "./location.shelf.js";
export { countLocations, deleteLocation, findLocation, insertLocation, updateLocation } from "./location.store.js";
