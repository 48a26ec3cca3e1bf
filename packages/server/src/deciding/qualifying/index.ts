export { no_sources, type Qualification, type Sources } from "./asked.js";
export { byNewest, type Candidate, type Place, type Traits } from "./candidate.js";
export { candidates_at_once_max } from "./newest-first.js";
export { openQualification, type Qualifying } from "./qualify.js";
export type { Qualified } from "./weigh.js";
