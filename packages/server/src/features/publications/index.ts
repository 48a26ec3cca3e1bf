export type { Publisher, PublishRequest } from "./publication.js";
export { type Given, type Published, publish, publishWithin } from "./publication.service.js";
export { readSupply, type Supply } from "./publication.supply.js";
