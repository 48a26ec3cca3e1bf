export { describeOperations } from "./describe.js";
export { serveReference } from "./serve.js";
