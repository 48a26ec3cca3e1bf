export { templateRoutes as routes } from "./template.routes.js";
export { TemplateBody, TemplateList, TemplateQuery } from "./template.schemas.js";
export { knownTemplate, readTemplates, storeTemplate } from "./template.service.js";
