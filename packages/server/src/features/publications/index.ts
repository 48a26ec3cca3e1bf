export { consumers } from "./publication.consumers.js";
export { exported } from "./publication.export.js";
export type { Publication, Publisher, PublishRequest, VoucherHolder } from "./publication.js";
export { publicationRoutes as routes } from "./publication.routes.js";
export { PublicationBody, PublicationCreate, PublicationOptions } from "./publication.schemas.js";
export { type Given, publish, publishAlone, publishWithin } from "./publication.service.js";
export {
  deleteHolder,
  findPublicationMetadata,
  findPublicationsByIds,
  findPublishedVouchers,
  forgetPublicationsOf,
  insertHolders,
  voucher_holder_fields,
} from "./publication.store.js";
export { readSupply, type Supply } from "./publication.supply.js";
export { createPublication } from "./publish.js";
