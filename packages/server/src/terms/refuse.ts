import { Problem, type ProblemBody } from "../platform/http/problems.js";

/** Makes an entry of the catalogue, which is `refusals.ts` with the parts that it takes in; nobody else calls it. */
export const refuse = (
  code: 400 | 403 | 404 | 409,
  key: string,
  message: string,
  details?: string,
  more: Partial<ProblemBody> = {},
) => new Problem(code, { code, key, message, ...(details === undefined ? {} : { details }), ...more });
