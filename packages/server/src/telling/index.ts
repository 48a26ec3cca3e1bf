export { payloadsOf } from "./payloads.js";
