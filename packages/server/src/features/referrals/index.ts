import type { Consumer } from "../../events/index.js";
import { converting } from "./conversions/conversion.consumer.js";

export { holderRoutes as routes } from "./holders/holder.routes.js";

export const consumers: readonly Consumer[] = [converting];
