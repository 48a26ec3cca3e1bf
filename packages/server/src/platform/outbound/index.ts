export { whyNoTarget } from "./target.js";
