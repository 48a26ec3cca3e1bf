export type { Publisher, PublishRequest } from "./publication.js";
export { type Published, publish } from "./publication.service.js";
