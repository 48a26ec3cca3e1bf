export { type Naming, type Payload, payloadsOf } from "./payloads.js";
