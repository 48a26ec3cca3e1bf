// Loaded into a built service before its own code (NODE_OPTIONS=--import): some of its modules are then met with a double
// around them that notes in which order transactions held their keys. Nothing of this exists in what is built and shipped.
import { register } from "node:module";

register("./hooks.mjs", import.meta.url);
