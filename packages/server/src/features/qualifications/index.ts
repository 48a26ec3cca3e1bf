export { qualificationRoutes as routes } from "./qualification.routes.js";
export { QualificationAnswer, QualificationBody } from "./qualification.schemas.js";
export { qualify } from "./qualification.service.js";
