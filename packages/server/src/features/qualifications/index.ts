export { qualificationRoutes as routes } from "./qualification.routes.js";
export { QualificationAnswer, QualificationBody } from "./qualification.schemas.js";
export { qualify, rowsOfQualification } from "./qualification.service.js";
