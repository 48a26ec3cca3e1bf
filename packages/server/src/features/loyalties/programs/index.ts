export { programRoutes as routes } from "./program.routes.js";
export { ProgramParams } from "./program.schemas.js";
export { knownProgram } from "./program.service.js";
