import { problems } from "../../platform/http/problems.js";

/** Refuses a template of what only its own project could make sense of. */
export const notHeld = (why: string) => problems.invalidPayload(`A template cannot hold this: ${why}`);
