export { createPoster, type Poster } from "./poster.js";
export { whyNoTarget } from "./target.js";
